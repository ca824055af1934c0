;; close answers with a verdict.
(module
  (data (i32.const 0x200) "\12\02\08\01")
  (func (export "wasmsandbox_close") (result i64) (i64.const 0x20000000004))
)
