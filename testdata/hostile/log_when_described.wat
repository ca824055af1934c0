;; Harmless: logs and makes blobs where there is no call: in the start function, in
;; _initialize, describe and open.
(module
  (import "wasmsandbox_v1" "log" (func $log (param i32 i32 i32) (result i32)))
  (import "wasmsandbox_v1" "blob_new" (func $blob_new (result i32)))
  (func $noise (drop (call $log (i32.const 1) (i32.const 0) (i32.const 0x10000))) (drop (call $blob_new)))
  (start $noise)
  (func (export "_initialize") (call $noise))
  (func (export "wasmsandbox_describe") (result i64) (call $noise) (i64.const 0x10000000017))
  (func (export "wasmsandbox_open") (param i32) (result i64) (call $noise) (i64.const 0x14000000002))
  (func (export "wasmsandbox_close") (result i64) (call $noise) (i64.const 0x14000000002))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64)
    (i64.const 0x1600000000c))
)
