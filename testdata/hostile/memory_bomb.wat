;; Takes all the memory there is, 128 MiB at a time then 16 MiB, then traps.
(module
  (func (export "wasmsandbox_respond") (param i32 i32) (result i64) (loop $more (br_if $more (i32.ne (memory.grow (i32.const 2048)) (i32.const -1)))) (loop $rest (br_if $rest (i32.ne (memory.grow (i32.const 256)) (i32.const -1)))) (i32.store (i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const 4)) (i32.const 1)) (unreachable))
)
