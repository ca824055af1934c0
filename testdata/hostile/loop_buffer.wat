;; The buffer function never ends.
(module
  (func (export "wasmsandbox_buffer") (param i32) (result i32) (loop $again (br $again)) (unreachable))
)
