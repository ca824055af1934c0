;; Lets its table grow until it grows no more, then traps.
(module
  (table $t 1 funcref)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $more (br_if $more (i32.ne (table.grow $t (ref.null func) (i32.const 100)) (i32.const -1)))) (unreachable))
)
