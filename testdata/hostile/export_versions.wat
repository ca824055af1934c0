;; Harmless: speaks several versions.
(module
  (func (export "wasmsandbox_abi_v0") (result i32) (unreachable))
  (func (export "wasmsandbox_abi_v2") (result i32) (unreachable))
  (func (export "wasmsandbox_abi_v3") (result i32) (unreachable))
  (func (export "wasmsandbox_abi_v1.0") (result i32) (unreachable))
)
