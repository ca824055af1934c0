;; respond answers with a description.
(module
  (data (i32.const 0x200) "\0a\03\0a\01h")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000005))
)
