;; The buffer function runs into an unreachable instruction.
(module
  (func (export "wasmsandbox_buffer") (param i32) (result i32) (unreachable))
)
