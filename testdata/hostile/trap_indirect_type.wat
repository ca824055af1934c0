;; A call through a table with another type.
(module
  (type $f (func (result i64)))
  (table 1 funcref)
  (elem (i32.const 0) $a)
  (func $a)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (call_indirect (type $f) (i32.const 0)))
)
