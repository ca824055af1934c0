;; A reply to close that lies outside of the memory.
(module
  (func (export "wasmsandbox_close") (result i64) (i64.const 0xffffffff00000002))
)
