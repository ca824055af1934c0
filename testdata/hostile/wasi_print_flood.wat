;; Prints all its memory to both outputs, a thousand times.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (data (i32.const 0x200) "\00\00\00\00\00\00\01\00")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64)
    (local $n i32)
    (loop $more (drop (call $write (i32.const 1) (i32.const 0x200) (i32.const 1) (i32.const 0x300))) (drop (call $write (i32.const 2) (i32.const 0x200) (i32.const 1) (i32.const 0x300))) (local.set $n (i32.add (local.get $n) (i32.const 1))) (br_if $more (i32.lt_u (local.get $n) (i32.const 1000))))
    (i64.const 0x1600000000c))
)
