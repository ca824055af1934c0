;; A blob with the handle 0.
(module
  (data (i32.const 0x200) "\1a\08\12\06\0a\04\12\02\10\01")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x2000000000a))
)
