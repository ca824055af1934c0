;; Wants a global of the host.
(module
  (import "wasmsandbox_v1" "log" (global (mut i32)))
)
