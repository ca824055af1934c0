;; Data at an address that overflows.
(module
  (data (i32.const -1) "much")
)
