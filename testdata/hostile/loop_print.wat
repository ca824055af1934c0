;; Prints a MiB in 1024 places at once to standard error, again and again.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 32)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (local $v i32) (local.set $v (i32.const 0x100000)) (loop $all (i32.store offset=4 (local.get $v) (i32.const 0x100000)) (local.set $v (i32.add (local.get $v) (i32.const 8))) (br_if $all (i32.lt_u (local.get $v) (i32.const 0x102000)))) (loop $again (drop (call $write (i32.const 2) (i32.const 0x100000) (i32.const 1024) (i32.const 0x300))) (br $again)) (unreachable))
)
