;; A memory whose maximum is all that can be addressed: few guests mean it.
(module
  (memory (export "memory") 1 65536)
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))
