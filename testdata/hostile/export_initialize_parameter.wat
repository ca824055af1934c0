;; Its _initialize wants a parameter.
(module
  (func (export "_initialize") (param i32))
)
