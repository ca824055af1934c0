;; Harmless: a reply in memory that the call has just got.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (memory.copy (i32.shl (memory.grow (i32.const 1)) (i32.const 16)) (i32.const 0x160) (i32.const 12)) (i64.or (i64.shl (i64.extend_i32_u (i32.shl (i32.sub (memory.size) (i32.const 1)) (i32.const 16))) (i64.const 32)) (i64.const 12)))
)
