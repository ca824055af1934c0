;; Wants fd_write with another type.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func (param i32 i64 i32 i32) (result i32)))
)
