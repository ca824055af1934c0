;; A reply that holds an unknown field only.
(module
  (data (i32.const 0x200) "r\04what")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000006))
)
