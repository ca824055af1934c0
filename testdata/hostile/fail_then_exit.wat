;; Reports a panic, then exits.
(module
  (import "wasmsandbox_v1" "fail" (func $fail (param i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))
  (data (i32.const 0x200) "\0a\06kaboom")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (drop (call $fail (i32.const 0x200) (i32.const 8))) (call $exit (i32.const 3)) (unreachable))
)
