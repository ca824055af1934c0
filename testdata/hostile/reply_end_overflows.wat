;; A reply whose end is beyond 32 bits.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0xffffffff000000ff))
)
