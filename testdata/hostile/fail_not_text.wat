;; A report whose texts are no text, with a line beyond any file.
(module
  (import "wasmsandbox_v1" "fail" (func $fail (param i32 i32) (result i32)))
  (data (i32.const 0x200) "\0a\09\ff\fe kaboom\12\02\c0\80\18\ff\ff\ff\ff\0f\22\03\ed\a0\80")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (drop (call $fail (i32.const 512) (i32.const 26))) (i64.const 0x1600000000c))
)
