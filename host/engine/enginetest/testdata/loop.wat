;; Never ends by itself.
(module
  (func (export "forever") (loop $again (br $again)))
  (func (export "fine") (result i32) (i32.const 1)))
