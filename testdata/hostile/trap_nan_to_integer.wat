;; A NaN as an integer.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.trunc_f64_s (f64.const nan)))
)
