;; Wants a table of the host.
(module
  (import "wasmsandbox_v1" "table" (table 1 funcref))
)
