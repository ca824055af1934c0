;; _initialize calls itself without end.
(module
  (func $initialize (export "_initialize") (call $initialize))
)
