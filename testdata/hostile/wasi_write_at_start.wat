;; Appends to a file in its start function, if there are any.
(module
  (import "wasi_snapshot_preview1" "path_open" (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
  (data (i32.const 0x200) "log")
  (data (i32.const 0x210) "\00\02\00\00\01\00\00\00")
  (func $start
    (if (i32.eqz (call $open (i32.const 3) (i32.const 0) (i32.const 0x200) (i32.const 3) (i32.const 1) (i64.const 64) (i64.const 0) (i32.const 1) (i32.const 0x300))) (then
      (drop (call $write (i32.load (i32.const 0x300)) (i32.const 0x210) (i32.const 1) (i32.const 0x304)))
      (drop (call $close (i32.load (i32.const 0x300)))))))
  (start $start)
)
