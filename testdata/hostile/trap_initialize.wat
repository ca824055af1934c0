;; _initialize runs into an unreachable instruction.
(module
  (func (export "_initialize") (unreachable))
)
