;; Wants log with another type.
(module
  (import "wasmsandbox_v1" "log" (func (param i32 i32) (result i64)))
)
