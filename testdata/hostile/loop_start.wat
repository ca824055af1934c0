;; The start function never ends.
(module
  (func $start (loop $again (br $again)) (unreachable))
  (start $start)
)
