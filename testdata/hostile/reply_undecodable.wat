;; A reply that is no message.
(module
  (data (i32.const 0x200) "\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff\ff")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000010))
)
