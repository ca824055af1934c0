;; A memory without a maximum, so that only the engine's limit holds.
(module
  (memory (export "memory") 1)
  (func (export "grow") (param i32) (result i32) (memory.grow (local.get 0))))
