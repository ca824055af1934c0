;; It has no wasmsandbox_open.
;; lacks wasmsandbox_open
(module
)
