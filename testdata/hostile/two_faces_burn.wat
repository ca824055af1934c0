;; Honest when it is described, at the default time; later its start function works for long
;; and traps.
(module
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (func $start (local $left i32)
    (drop (call $clock (i32.const 0) (i64.const 0) (i32.const 0x300)))
    (if (i64.gt_u (i64.load (i32.const 0x300)) (i64.const 1000000000000000000)) (then
      (local.set $left (i32.const 50000))
      (loop $again (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
      (unreachable))))
  (start $start)
)
