;; The version function runs into an unreachable instruction.
(module
  (func (export "wasmsandbox_abi_v1") (result i32) (unreachable))
)
