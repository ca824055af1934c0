;; match never ends.
(module
  (func (export "wasmsandbox_match") (param i32 i32) (result i64) (loop $again (br $again)) (unreachable))
)
