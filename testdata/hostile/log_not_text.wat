;; Logs what is no text.
(module
  (import "wasmsandbox_v1" "log" (func $log (param i32 i32 i32) (result i32)))
  (data (i32.const 0x200) "\ff\fea\c0\80b\ed\a0\80c\00\1b")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64)
    (drop (call $log (i32.const 1) (i32.const 0x200) (i32.const 12)))
    (i64.const 0x1600000000c))
)
