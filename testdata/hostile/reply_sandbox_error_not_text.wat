;; A sandbox error whose code is no text.
(module
  (data (i32.const 0x200) "\1a\05:\03\0a\01\80")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000007))
)
