;; A description outside of the memory.
(module
  (func (export "wasmsandbox_describe") (result i64) (i64.const 0xfff000000017))
)
