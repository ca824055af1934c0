;; Wants the function by which the host ends guests.
(module
  (import "wasmsandbox.metering" "refill" (func (param i64) (result i64)))
)
