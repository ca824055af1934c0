;; Needs minor version -1, which is the greatest there is.
(module
  (func (export "wasmsandbox_abi_v1") (result i32) (i32.const -1))
)
