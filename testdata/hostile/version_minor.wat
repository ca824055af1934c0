;; Needs a later minor version.
(module
  (func (export "wasmsandbox_abi_v1") (result i32) (i32.const 1))
)
