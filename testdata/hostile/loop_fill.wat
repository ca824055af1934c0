;; Fills large memory again and again.
(module
  (memory (export "memory") 512)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $again (memory.fill (i32.const 0) (i32.const 0) (i32.const 0x2000000)) (br $again)) (unreachable))
)
