;; Its version is a NaN.
(module
  (func (export "wasmsandbox_abi_v1") (result f32) (f32.const nan))
)
