;; Writes to a blob until the host takes no more.
(module
  (import "wasmsandbox_v1" "blob_new" (func $blob_new (result i32)))
  (import "wasmsandbox_v1" "blob_write" (func $blob_write (param i32 i32 i32) (result i32)))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64)
    (drop (call $blob_new))
    (loop $more (br_if $more (i32.gt_s (call $blob_write (i32.const 1) (i32.const 0) (i32.const 0x10000)) (i32.const 0))))
    (if (i32.ne (call $blob_write (i32.const 1) (i32.const 0) (i32.const 0x10000)) (i32.const -4)) (then (unreachable)))
    (i64.const 0x1600000000c))
)
