;; Writes its 64 KiB of memory to standard output again and again.
(module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 4) "\00\00\01\00")
  (func (export "_start")
    (loop $again
      (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16)))
      (br $again))))
