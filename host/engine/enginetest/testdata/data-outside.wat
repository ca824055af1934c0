;; Valid, but its data doesn't fit its memory.
(module
  (memory (export "memory") 1)
  (data (i32.const 65534) "four"))
