;; respond refuses the configuration, which it has accepted.
(module
  (data (i32.const 0x200) "\22\08\08\04\12\04late")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x2000000000a))
)
