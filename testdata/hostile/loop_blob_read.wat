;; Reads a blob of 8 MiB again and again.
(module
  (import "wasmsandbox_v1" "blob_new" (func $blob_new (result i32)))
  (import "wasmsandbox_v1" "blob_read" (func $blob_read (param i32 i64 i32 i32) (result i32)))
  (import "wasmsandbox_v1" "blob_write" (func $blob_write (param i32 i32 i32) (result i32)))
  (memory (export "memory") 128)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (drop (call $blob_new)) (drop (call $blob_write (i32.const 1) (i32.const 0) (i32.const 0x800000))) (loop $again (drop (call $blob_read (i32.const 1) (i64.const 0) (i32.const 0) (i32.const 0x800000))) (br $again)) (unreachable))
)
