;; Imports and exports of every kind, in no order.
(module
  (import "z" "global" (global i32))
  (import "a" "func" (func $f (param i32 i64 f32 f64) (result i64)))
  (import "a" "table" (table 1 2 funcref))
  (import "a" "memory" (memory 1 2))
  (import "z" "mutable" (global (mut i64)))
  (import "a" "late" (func))
  (global (export "zero") i32 (i32.const 0))
  (export "memory" (memory 0))
  (export "table" (table 0))
  (export "again" (func $f))
  (func (export "func") (param externref) (result f64 funcref)
    (f64.const 0) (ref.null func)))
