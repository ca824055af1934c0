;; A buffer whose end is beyond 32 bits.
(module
  (func (export "wasmsandbox_buffer") (param i32) (result i32) (i32.const -1))
)
