;; Keeps a handle from its first call; traps if a later one takes it.
(module
  (import "wasmsandbox_v1" "blob_len" (func $blob_len (param i32) (result i64)))
  (import "wasmsandbox_v1" "blob_new" (func $blob_new (result i32)))
  (import "wasmsandbox_v1" "blob_write" (func $blob_write (param i32 i32 i32) (result i32)))
  (global $handle (mut i32) (i32.const 0))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64)
    (if (global.get $handle)
      (then (if (i64.ne (call $blob_len (global.get $handle)) (i64.const -2)) (then (unreachable)))
        (if (i32.ne (call $blob_write (global.get $handle) (i32.const 0) (i32.const 1)) (i32.const -2)) (then (unreachable))))
      (else (global.set $handle (call $blob_new))
        (drop (call $blob_write (global.get $handle) (i32.const 0) (i32.const 1)))))
    (i64.const 0x1600000000c))
)
