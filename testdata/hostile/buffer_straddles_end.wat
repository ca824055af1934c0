;; A buffer of which the last byte is outside of the memory.
(module
  (func (export "wasmsandbox_buffer") (param i32) (result i32) (i32.sub (i32.const 0x10001) (local.get 0)))
)
