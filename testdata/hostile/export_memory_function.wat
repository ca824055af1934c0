;; Its memory is a function.
;; lacks data
(module
  (func (export "memory"))
)
