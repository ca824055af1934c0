;; Calls of the host, each from a frame with a name.
(module
  (import "env" "note" (func $note (param i32) (result i32)))
  (import "env" "wide" (func $wide (param i64 f32 f64) (result f64)))
  (memory (export "memory") 1)
  (func $inner (param i32) (result i32) (call $note (local.get 0)))
  (func (export "note") (param i32) (result i32)
    (i32.add (call $inner (local.get 0)) (i32.const 1)))
  (func (export "wide") (param i64 f32 f64) (result f64)
    (call $wide (local.get 0) (local.get 1) (local.get 2)))
  (export "again" (func $note))
  (func (export "load") (param i32) (result i32) (i32.load8_u (local.get 0))))
