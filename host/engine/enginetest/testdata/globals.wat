;; Globals of all types, and the functions to look at some.
(module
  (global $i32 (export "i32") (mut i32) (i32.const -1))
  (global $i64 (export "i64") (mut i64) (i64.const 0x123456789abcdef0))
  (global (export "f32") (mut f32) (f32.const 1.5))
  (global (export "f64") (mut f64) (f64.const -2.5))
  (global (export "constant") i32 (i32.const 7))
  (global (export "vector") (mut v128) (v128.const i64x2 1 2))
  (global (export "function") (mut funcref) (ref.null func))
  (func (export "get_i32") (result i32) (global.get $i32))
  (func (export "get_i64") (result i64) (global.get $i64))
  (func (export "set_i64") (param i64) (global.set $i64 (local.get 0))))
