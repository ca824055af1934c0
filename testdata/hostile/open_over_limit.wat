;; A reply to open that is too long.
(module
  (func (export "wasmsandbox_open") (param i32) (result i64) (i64.const 0x7fffffff))
)
