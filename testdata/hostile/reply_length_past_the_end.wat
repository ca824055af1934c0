;; A field that is longer than the message around it.
(module
  (data (i32.const 0x200) "\1a\ff\ff\ff\ff\0f\12\00")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000008))
)
