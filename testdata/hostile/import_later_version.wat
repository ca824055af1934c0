;; Wants a function of a later version of the ABI.
(module
  (import "wasmsandbox_v2" "log" (func (param i32 i32 i32) (result i32)))
)
