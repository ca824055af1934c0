;; match runs into an unreachable instruction.
(module
  (func (export "wasmsandbox_match") (param i32 i32) (result i64) (unreachable))
)
