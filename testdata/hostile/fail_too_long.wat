;; A report of the greatest length there is.
(module
  (import "wasmsandbox_v1" "fail" (func $fail (param i32 i32) (result i32)))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (drop (call $fail (i32.const 512) (i32.const -1))) (i64.const 0x1600000000c))
)
