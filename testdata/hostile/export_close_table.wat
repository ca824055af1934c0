;; Its wasmsandbox_close is a table.
(module
  (table (export "wasmsandbox_close") 1 funcref)
)
