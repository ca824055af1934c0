;; A guest that traps when it doesn't get entries of its table.
(module
  (table 2 funcref)
  (func (export "grow") (param i32) (result i32) (table.grow 0 (ref.null func) (local.get 0)))
  (func (export "need") (param i32)
    (if (i32.eq (table.grow 0 (ref.null func) (local.get 0)) (i32.const -1)) (then unreachable))))
