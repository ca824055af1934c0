;; open refuses the configuration.
(module
  (data (i32.const 0x200) "\22\0d\08\04\12\09no branch")
  (func (export "wasmsandbox_open") (param i32) (result i64) (i64.const 0x2000000000f))
)
