;; Reports panics without end, each as long as may be.
(module
  (import "wasmsandbox_v1" "fail" (func $fail (param i32 i32) (result i32)))
  (memory (export "memory") 20)
  (data (i32.const 0x10000) "\22\fb\ff?")
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $again (drop (call $fail (i32.const 0x10000) (i32.const 0x100000))) (br $again)) (unreachable))
)
