;; A verdict whose reason is no text.
(module
  (data (i32.const 0x200) "\12\05\08\02\12\01\ff")
  (func (export "wasmsandbox_match") (param i32 i32) (result i64) (i64.const 0x20000000007))
)
