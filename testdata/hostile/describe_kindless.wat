;; A handler that neither matches nor responds.
(module
  (data (i32.const 0x200) "\0a\07:\05\08\01\12\01x")
  (func (export "wasmsandbox_describe") (result i64) (i64.const 0x20000000009))
)
