;; Harmless: it has no close function.
;; lacks wasmsandbox_close
(module
)
