;; Harmless: its memory has two names.
(module
  (memory (export "memory") (export "other") 1)
)
