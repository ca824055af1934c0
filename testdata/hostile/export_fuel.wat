;; Exports a global of the name of the one that the host counts fuel in.
(module
  (global (export "wasmsandbox.fuel") (mut i64) (i64.const -1))
)
