;; A start function that takes 1000 rounds, and traps. Else it is a program.
(module
  (global $left (mut i32) (i32.const 1000))
  (func $start
    (loop
      (global.set $left (i32.sub (global.get $left) (i32.const 1)))
      (br_if 0 (global.get $left)))
    (unreachable))
  (memory (export "memory") 1)
  (func (export "_start"))
  (start $start))
