;; match reports a panic, then another, then traps.
(module
  (import "wasmsandbox_v1" "fail" (func $fail (param i32 i32) (result i32)))
  (data (i32.const 0x200) "\0a\05first")
  (data (i32.const 0x220) "\0a\06kaboom")
  (func (export "wasmsandbox_match") (param i32 i32) (result i64) (drop (call $fail (i32.const 0x200) (i32.const 7))) (drop (call $fail (i32.const 0x220) (i32.const 8))) (unreachable))
)
