;; A name that is no text.
(module
  (data (i32.const 0x200) "\0a\04\0a\02\c0\80")
  (func (export "wasmsandbox_describe") (result i64) (i64.const 0x20000000006))
)
