;; _initialize never ends.
(module
  (func (export "_initialize") (loop $again (br $again)) (unreachable))
)
