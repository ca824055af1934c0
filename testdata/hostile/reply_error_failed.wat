;; Lives on: an error of the handler, with lines and control characters.
(module
  (data (i32.const 0x200) "\22\10\08\01\12\0cno\00\1b[2J\0aluck")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000012))
)
