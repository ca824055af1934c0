;; A guest error whose message is no text.
(module
  (data (i32.const 0x200) "\22\07\08\01\12\03\ff\c0\80")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000009))
)
