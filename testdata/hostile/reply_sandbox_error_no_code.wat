;; A sandbox error without a code.
(module
  (data (i32.const 0x200) "\1a\05:\03\1a\01m")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000007))
)
