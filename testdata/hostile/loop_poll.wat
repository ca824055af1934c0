;; Waits for 1024 clocks, all of which have elapsed, again and again.
(module
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 8)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $again (drop (call $poll (i32.const 0x10000) (i32.const 0x30000) (i32.const 1024) (i32.const 0x300))) (br $again)) (unreachable))
)
