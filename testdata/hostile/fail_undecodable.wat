;; A report that can't be decoded.
(module
  (import "wasmsandbox_v1" "fail" (func $fail (param i32 i32) (result i32)))
  (data (i32.const 0x200) "\ff\ff")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (drop (call $fail (i32.const 512) (i32.const 2))) (i64.const 0x1600000000c))
)
