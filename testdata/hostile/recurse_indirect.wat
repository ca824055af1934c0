;; Two functions that call each other through a table.
(module
  (type $f (func))
  (table 2 funcref)
  (elem (i32.const 0) $a $b)
  (func $a (call_indirect (type $f) (i32.const 1)))
  (func $b (call_indirect (type $f) (i32.const 0)))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (call $a) (unreachable))
)
