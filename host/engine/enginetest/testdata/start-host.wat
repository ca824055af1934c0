;; A start function that already needs the host, and passes it an address.
(module
  (import "env" "note" (func $note (param i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 8) "hello")
  (func $begin (i32.store8 (i32.const 0) (call $note (i32.const 8))))
  (start $begin))
