;; A start function that calls an import three times.
(module
  (import "env" "note" (func $note (param i32) (result i32)))
  (func $start
    (drop (call $note (i32.const 1)))
    (drop (call $note (i32.const 2)))
    (drop (call $note (i32.const 3))))
  (func (export "nothing"))
  (start $start))
