;; Two memories.
(module
  (memory 1)
)
