;; Lives on: an error of the matcher.
(module
  (data (i32.const 0x200) "\22\0b\08\01\12\07no luck")
  (func (export "wasmsandbox_match") (param i32 i32) (result i64) (i64.const 0x2000000000d))
)
