;; A read outside of the memory, with an offset that overflows.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.load offset=0xffffffff (i32.const -1)))
)
