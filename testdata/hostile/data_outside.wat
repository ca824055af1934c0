;; Data outside of the memory.
(module
  (data (i32.const 0xfffe) "much")
)
