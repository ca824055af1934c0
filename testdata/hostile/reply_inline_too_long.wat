;; Content of 100 000 bytes that has to be a blob.
(module
  (memory (export "memory") 4)
  (data (i32.const 0x10000) "\1a\ac\8d\06\12\a8\8d\06\0a\a4\8d\06\0a\a0\8d\06")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (i64.const 0x10000000186b0))
)
