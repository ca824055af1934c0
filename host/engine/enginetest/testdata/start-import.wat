;; The start function is itself an import.
(module
  (import "env" "begin" (func $begin))
  (memory (export "memory") 1)
  (start $begin))
