;; Wants a function of another version of WASI.
(module
  (import "wasi_snapshot_preview2" "fd_write" (func (param i32 i32 i32 i32) (result i32)))
)
