;; Asks for memory until there is none, then writes to all of it.
(module
  (memory (export "memory") 1)
  (func (export "_start")
    (loop $more
      (br_if $more (i32.ne (memory.grow (i32.const 256)) (i32.const -1))))
    (i32.store (i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const 4)) (i32.const 1))
    (unreachable)))
