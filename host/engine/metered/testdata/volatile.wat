;; A module with state that can't be copied.
(module
  (memory (export "memory") 1)
  (table 2 funcref)
  (global (mut funcref) (ref.null func))
  (func (export "set") (table.set 0 (i32.const 0) (ref.null func))))
