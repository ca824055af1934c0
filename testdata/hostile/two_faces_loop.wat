;; Honest when it is described, at the default time; later its _initialize never
;; ends.
(module
  (import "wasi_snapshot_preview1" "clock_time_get" (func $clock (param i32 i64 i32) (result i32)))
  (func (export "_initialize") (drop (call $clock (i32.const 0) (i64.const 0) (i32.const 0x300))) (if (i64.gt_u (i64.load (i32.const 0x300)) (i64.const 1000000000000000000)) (then (loop $again (br $again)))))
)
