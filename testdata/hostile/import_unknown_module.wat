;; Wants a function of a module that doesn't exist.
(module
  (import "env" "system" (func (param i32) (result i32)))
)
