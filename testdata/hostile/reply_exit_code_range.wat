;; An exit code that doesn't fit 32 bits.
(module
  (data (i32.const 0x200) "\1a\09\12\07\18\80\80\80\80\80 ")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x2000000000b))
)
