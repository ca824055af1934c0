;; Guests that use fuel, nest calls, want memory, and have state.
(module
  (import "env" "note" (func $note (param i32) (result i32)))
  (memory (export "memory") 1)
  (table 2 funcref)
  (global $count (export "count") (mut i32) (i32.const 0))
  (global $wide (mut i64) (i64.const -1))
  (global $half (mut f32) (f32.const 0.5))
  (global $float (mut f64) (f64.const 1))
  (func (export "nothing"))
  (func (export "note") (param i32) (result i32) (call $note (local.get 0)))
  (func (export "notes") (param i32 i32)
    (loop
      (drop (call $note (local.get 1)))
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (br_if 0 (local.get 0))))
  (func (export "owe") (param i32 i32)
    (loop
      (drop (call $note (i32.const 0)))
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (br_if 0 (local.get 0)))
    (loop
      (call $step)
      (local.set 1 (i32.sub (local.get 1) (i32.const 1)))
      (br_if 0 (local.get 1))))
  (func (export "forever") (loop (call $step) (br 0)))
  (func (export "work") (param i32)
    (loop
      (call $step)
      (local.set 0 (i32.sub (local.get 0) (i32.const 1)))
      (br_if 0 (local.get 0))))
  ;; Changes each part of the state, and answers with a mix of it.
  (func (export "next") (result i64)
    (call $step)
    (i64.xor
      (i64.add (global.get $wide) (i64.reinterpret_f64 (global.get $float)))
      (i64.extend_i32_u (i32.load8_u (global.get $count)))))
  (func $step
    (global.set $count (i32.add (global.get $count) (i32.const 1)))
    (global.set $wide (i64.mul (global.get $wide) (i64.const 3)))
    (global.set $half (f32.add (global.get $half) (f32.const 1)))
    (global.set $float (f64.mul (global.get $float) (f64.const 1.5)))
    (i32.store8 (global.get $count) (i32.add (i32.const 1) (i32.load8_u (global.get $count)))))
  ;; Nests as many calls.
  (func $deep (export "deep") (param i32) (result i32)
    (if (result i32) (local.get 0)
      (then (i32.add (i32.const 1) (call $deep (i32.sub (local.get 0) (i32.const 1)))))
      (else (i32.const 0))))
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0)))
  (func (export "table") (result i32) (table.size 0))
  (func (export "need") (param i32)
    (if (i32.eq (memory.grow (local.get 0)) (i32.const -1)) (then unreachable)))
  (func (export "trap") unreachable))
