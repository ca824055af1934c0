;; Makes blobs until there are no more handles.
(module
  (import "wasmsandbox_v1" "blob_new" (func $blob_new (result i32)))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64)
    (loop $more (br_if $more (i32.gt_s (call $blob_new) (i32.const 0))))
    (if (i32.ne (call $blob_new) (i32.const -4)) (then (unreachable)))
    (i64.const 0x1600000000c))
)
