;; Copies large memory again and again.
(module
  (memory (export "memory") 512)
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $again (memory.copy (i32.const 1) (i32.const 0) (i32.const 0x1ffffff)) (br $again)) (unreachable))
)
