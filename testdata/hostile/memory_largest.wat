;; Harmless: as much memory from the start as a guest may have.
(module
  (memory (export "memory") 8192)
)
