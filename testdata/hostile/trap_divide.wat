;; A division by zero.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.div_s (i64.const 1) (i64.const 0)))
)
