;; The buffer function calls proc_exit with code 0.
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (func (export "wasmsandbox_buffer") (param i32) (result i32) (call $exit (i32.const 0)) (unreachable))
)
