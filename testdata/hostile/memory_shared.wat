;; A memory that threads share.
(module
  (memory (export "memory") 1 2 shared)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.extend_i32_u (memory.atomic.notify (i32.const 0) (i32.const 1))))
)
