;; Lets a table grow again and again, also when it grows no more.
(module
  (table $t 1 funcref)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $again (drop (table.grow $t (ref.null func) (i32.const 1))) (br $again)) (unreachable))
)
