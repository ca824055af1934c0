;; The version function never ends.
(module
  (func (export "wasmsandbox_abi_v1") (result i32) (loop $again (br $again)) (unreachable))
)
