;; A start function that calls itself without end.
(module
  (global $depth (mut i32) (i32.const 0))
  (func $start
    (call $start)
    (global.set $depth (i32.add (global.get $depth) (i32.const 1))))
  (start $start))
