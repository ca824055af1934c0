;; Speaks version 2 only.
;; lacks wasmsandbox_abi_v1
(module
  (func (export "wasmsandbox_abi_v2") (result i32) (i32.const 0))
)
