;; Yields without end.
(module
  (import "wasi_snapshot_preview1" "sched_yield" (func $yield (result i32)))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $again (drop (call $yield)) (br $again)) (unreachable))
)
