;; Wants blob_read with a floating-point offset.
(module
  (import "wasmsandbox_v1" "blob_read" (func (param i32 f64 i32 i32) (result i32)))
)
