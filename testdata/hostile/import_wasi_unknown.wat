;; Wants a function that WASI doesn't have.
(module
  (import "wasi_snapshot_preview1" "path_exec" (func (param i32 i32) (result i32)))
)
