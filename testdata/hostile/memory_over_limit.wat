;; A memory one page larger than a guest's may be.
(module
  (memory (export "memory") 8193)
)
