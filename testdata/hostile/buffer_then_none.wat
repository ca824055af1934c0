;; Answers one buffer, and no more.
(module
  (global $next (mut i32) (i32.const 0x8000))
  (func (export "wasmsandbox_buffer") (param i32) (result i32) (global.get $next) (global.set $next (i32.const 0)))
)
