;; A description that is longer than any reply.
(module
  (func (export "wasmsandbox_describe") (result i64) (i64.const 0xffffffff))
)
