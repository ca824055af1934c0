;; describe answers with an error.
(module
  (data (i32.const 0x200) "\22\16\08\01\12\12I would rather not")
  (func (export "wasmsandbox_describe") (result i64) (i64.const 0x20000000018))
)
