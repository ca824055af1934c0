;; Asks for 4 MiB of random bytes again and again.
(module
  (import "wasi_snapshot_preview1" "random_get" (func $random (param i32 i32) (result i32)))
  (memory (export "memory") 64)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $again (drop (call $random (i32.const 0) (i32.const 0x400000))) (br $again)) (unreachable))
)
