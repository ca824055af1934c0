;; Changes its table in its start function, or doesn't: a random byte says.
(module
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (type $answer (func (result i32)))
  (table $t 1 funcref)
  (elem (i32.const 0) $one)
  (func $one (result i32) (i32.const 1))
  (func $two (result i32) (i32.const 2))
  (elem declare func $two)
  (func $start
    (drop (call $random (i32.const 0x200) (i32.const 1)))
    (if (i32.and (i32.load8_u (i32.const 0x200)) (i32.const 1)) (then
      (table.set $t (i32.const 0) (ref.func $two)))))
  (start $start)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64)
    (i32.store8 (i32.const 0x168) (i32.add (i32.const 0x61) (call_indirect (type $answer) (i32.const 0))))
    (i64.const 0x1600000000c))
)
