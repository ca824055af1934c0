;; One page that may grow to three, and the functions to look at it.
(module
  (memory (export "memory") 1 3)
  (data (i32.const 16) "sixteen")
  (func (export "load") (param i32) (result i32) (i32.load8_u (local.get 0)))
  (func (export "store") (param i32 i32) (i32.store8 (local.get 0) (local.get 1)))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "echo") (param i32 i32) (result i64)
    ;; Copies the input to 32768 and answers with address and length.
    (memory.copy (i32.const 32768) (local.get 0) (local.get 1))
    (i64.or
      (i64.shl (i64.const 32768) (i64.const 32))
      (i64.extend_i32_u (local.get 1)))))
