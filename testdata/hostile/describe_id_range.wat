;; An id that doesn't fit 32 bits.
(module
  (data (i32.const 0x200) "\0a\0d:\0b\08\80\80\80\80 \12\01r\18\02")
  (func (export "wasmsandbox_describe") (result i64) (i64.const 0x2000000000f))
)
