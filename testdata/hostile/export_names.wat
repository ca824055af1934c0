;; Harmless: exports names that steer a terminal.
(module
  (func (export "\1b[2J\0d\0a"))
  (func (export ""))
)
