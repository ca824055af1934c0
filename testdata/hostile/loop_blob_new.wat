;; Makes blobs without end.
(module
  (import "wasmsandbox_v1" "blob_new" (func $blob_new (result i32)))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $again (drop (call $blob_new)) (br $again)) (unreachable))
)
