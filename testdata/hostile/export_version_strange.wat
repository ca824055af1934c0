;; Speaks a version that is no number.
;; lacks wasmsandbox_abi_v1
(module
  (func (export "wasmsandbox_abi_v-1\1b[2J") (result i32) (i32.const 0))
)
