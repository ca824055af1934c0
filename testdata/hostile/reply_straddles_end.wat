;; A reply that starts in the memory and ends outside.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0xfffe00000008))
)
