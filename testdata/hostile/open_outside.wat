;; A reply to open that lies outside of the memory.
(module
  (func (export "wasmsandbox_open") (param i32) (result i64) (i64.const 0x1000000000002))
)
