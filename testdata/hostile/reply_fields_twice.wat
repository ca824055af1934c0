;; Harmless: all fields twice, of which the last counts.
(module
  (data (i32.const 0x200) "\12\02\08\01\1a\1a\12\07\0a\05\0a\03not\12\0f\0a\05\0a\03not\0a\06\0a\04fine")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000020))
)
