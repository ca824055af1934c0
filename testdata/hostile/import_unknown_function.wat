;; Wants a function that the ABI doesn't have.
(module
  (import "wasmsandbox_v1" "read_file" (func (param i32 i32) (result i32)))
)
