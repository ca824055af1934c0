;; close answers with no message.
(module
  (data (i32.const 0x200) "\00")
  (func (export "wasmsandbox_close") (result i64) (i64.const 0x20000000001))
)
