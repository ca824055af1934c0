;; It has no wasmsandbox_respond.
;; lacks wasmsandbox_respond
(module
)
