;; The start section runs a function; exports with the usual names must not run.
(module
  (memory (export "memory") 1)
  (func $begin (i32.store8 (i32.const 0) (i32.const 1)))
  (func (export "_start") (i32.store8 (i32.const 1) (i32.const 1)))
  (func (export "_initialize") (i32.store8 (i32.const 2) (i32.const 1)))
  (start $begin))
