;; Makes a blob and writes 8 MiB to it, again and again.
(module
  (import "wasmsandbox_v1" "blob_new" (func $blob_new (result i32)))
  (import "wasmsandbox_v1" "blob_write" (func $blob_write (param i32 i32 i32) (result i32)))
  (memory (export "memory") 128)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $again (drop (call $blob_write (call $blob_new) (i32.const 0) (i32.const 0x800000))) (br $again)) (unreachable))
)
