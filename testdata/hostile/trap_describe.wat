;; describe runs into an unreachable instruction.
(module
  (func (export "wasmsandbox_describe") (result i64) (unreachable))
)
