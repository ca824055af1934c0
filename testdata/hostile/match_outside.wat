;; A verdict outside of the memory.
(module
  (func (export "wasmsandbox_match") (param i32 i32) (result i64) (i64.const 0x2000000000004))
)
