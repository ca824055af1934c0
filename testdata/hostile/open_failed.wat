;; Begins anew each time: open answers with an error of its own.
(module
  (data (i32.const 0x200) "\22\0b\08\01\12\07not yet")
  (func (export "wasmsandbox_open") (param i32) (result i64) (i64.const 0x2000000000d))
)
