;; A description that is no message.
(module
  (data (i32.const 0x200) "\0a\ff\ff\ff\ff\ff")
  (func (export "wasmsandbox_describe") (result i64) (i64.const 0x20000000006))
)
