;; Sleeps for years again and again.
(module
  (import "wasi_snapshot_preview1" "poll_oneoff" (func $poll (param i32 i32 i32 i32) (result i32)))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.store (i32.const 0x300) (i64.const 1)) (i64.store (i32.const 0x318) (i64.const 0x7fffffffffffffff)) (loop $again (drop (call $poll (i32.const 0x300) (i32.const 0x400) (i32.const 1) (i32.const 0x500))) (br $again)) (unreachable))
)
