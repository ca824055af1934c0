;; A handler without a name.
(module
  (data (i32.const 0x200) "\0a\06:\04\08\01\18\02")
  (func (export "wasmsandbox_describe") (result i64) (i64.const 0x20000000008))
)
