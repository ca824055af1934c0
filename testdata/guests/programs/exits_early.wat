;; The start section exits with code 513 before _start is called, which would trap.
(module
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (memory (export "memory") 1)
  (func $early (call $exit (i32.const 513)))
  (start $early)
  (func (export "_start") (unreachable)))
