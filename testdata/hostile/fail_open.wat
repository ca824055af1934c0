;; open reports a panic, and goes on as if nothing were.
(module
  (import "wasmsandbox_v1" "fail" (func $fail (param i32 i32) (result i32)))
  (data (i32.const 0x200) "\0a\06kaboom")
  (func (export "wasmsandbox_open") (param i32) (result i64) (drop (call $fail (i32.const 0x200) (i32.const 8))) (i64.const 0x14000000002))
)
