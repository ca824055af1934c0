;; Harmless: a reply that is written over the message it answers.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (memory.copy (i32.const 0x8000) (i32.const 0x160) (i32.const 12)) (i64.const 0x80000000000c))
)
