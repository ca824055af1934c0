;; The start function calls itself without end.
(module
  (func $start (call $start))
  (start $start)
)
