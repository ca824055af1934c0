;; A blob of another digest than it has.
(module
  (import "wasmsandbox_v1" "blob_new" (func $blob_new (result i32)))
  (import "wasmsandbox_v1" "blob_write" (func $blob_write (param i32 i32 i32) (result i32)))
  (data (i32.const 0x200) "\1a,\12*\0a(\12&\08\01\10\0c\1a dddddddddddddddddddddddddddddddd")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (drop (call $blob_new)) (drop (call $blob_write (i32.const 1) (i32.const 0x160) (i32.const 12))) (i64.const 0x2000000002e))
)
