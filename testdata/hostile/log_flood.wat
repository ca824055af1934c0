;; Logs 100 000 lines, then all its memory a hundred times.
(module
  (import "wasmsandbox_v1" "log" (func $log (param i32 i32 i32) (result i32)))
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64)
    (local $n i32)
    (loop $more (drop (call $log (i32.const 1) (i32.const 0x160) (i32.const 12))) (local.set $n (i32.add (local.get $n) (i32.const 1))) (br_if $more (i32.lt_u (local.get $n) (i32.const 100000))))
    (loop $all (drop (call $log (i32.const 3) (i32.const 0) (i32.const 0x10000))) (local.set $n (i32.add (local.get $n) (i32.const 1))) (br_if $all (i32.lt_u (local.get $n) (i32.const 100100))))
    (i64.const 0x1600000000c))
)
