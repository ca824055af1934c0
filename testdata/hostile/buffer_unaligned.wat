;; Harmless: a buffer at an odd address.
(module
  (func (export "wasmsandbox_buffer") (param i32) (result i32) (i32.const 0x8001))
)
