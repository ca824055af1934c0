;; A loop that jumps through a table.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (local $n i32) (loop $again (block $a (block $b (block $c (br_table $a $b $c $again (i32.and (local.get $n) (i32.const 3))))) (local.set $n (i32.add (local.get $n) (i32.const 1)))) (br $again)) (unreachable))
)
