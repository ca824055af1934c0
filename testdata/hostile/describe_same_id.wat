;; Two handlers with one id.
(module
  (data (i32.const 0x200) "\0a\12:\07\08\01\12\01m\18\01:\07\08\01\12\01r\18\02")
  (func (export "wasmsandbox_describe") (result i64) (i64.const 0x20000000014))
)
