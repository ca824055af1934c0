;; Harmless: unknown fields of every wire type at every level.
(module
  (data (i32.const 0x200) "\a0\06\01\a1\06xxxxxxxx\1a\17\a5\06xxxx\12\0f\a2\06\01?\0a\09\0a\04fine\a0\06\00")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x20000000026))
)
