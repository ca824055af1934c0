;; Calls itself twice, 1000 deep: no call nests too deep, and they don't end.
(module
  (func $twice (param i32) (if (local.get 0) (then (call $twice (i32.sub (local.get 0) (i32.const 1))) (call $twice (i32.sub (local.get 0) (i32.const 1))))))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (call $twice (i32.const 1000)) (unreachable))
)
