;; A table of 4 294 967 295 entries.
(module
  (table 0xffffffff funcref)
)
