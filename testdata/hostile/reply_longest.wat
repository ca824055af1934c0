;; A reply of the greatest length there is.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0xffffffff))
)
