;; Wants the memory of the host, and exports it.
;; lacks memory
(module
  (import "wasmsandbox_v1" "memory" (memory 1))
  (export "memory" (memory 0))
)
