;; Throws an exception.
(module
  (tag $t)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (throw $t))
)
