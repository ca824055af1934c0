;; An element outside of its table.
(module
  (table 1 funcref)
  (elem (i32.const 1) $f)
  (func $f)
)
