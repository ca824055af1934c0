;; describe never ends.
(module
  (func (export "wasmsandbox_describe") (result i64) (loop $again (br $again)) (unreachable))
)
