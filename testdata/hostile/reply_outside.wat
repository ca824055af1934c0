;; A reply that starts behind the memory.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x2000000000001))
)
