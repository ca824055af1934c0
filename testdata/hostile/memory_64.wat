;; A memory of 64-bit addresses.
;; lacks data
(module
  (memory (export "memory") i64 1)
)
