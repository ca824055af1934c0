;; A reply inside of the memory, one byte longer than the limit.
(module
  (memory (export "memory") 300)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x1000001))
)
