;; A buffer behind the memory.
(module
  (func (export "wasmsandbox_buffer") (param i32) (result i32) (i32.const 0x10000))
)
