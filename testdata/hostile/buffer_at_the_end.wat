;; Harmless: a buffer in the last bytes of the memory.
(module
  (func (export "wasmsandbox_buffer") (param i32) (result i32) (i32.sub (i32.const 0x10000) (local.get 0)))
)
