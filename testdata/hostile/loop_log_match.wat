;; match logs without end.
(module
  (import "wasmsandbox_v1" "log" (func $log (param i32 i32 i32) (result i32)))
  (func (export "wasmsandbox_match") (param i32 i32) (result i64) (loop $again (drop (call $log (i32.const 1) (i32.const 0) (i32.const 1))) (br $again)) (unreachable))
)
