;; The start function runs into an unreachable instruction.
(module
  (func $start (unreachable))
  (start $start)
)
