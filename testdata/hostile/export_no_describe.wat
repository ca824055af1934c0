;; It has no wasmsandbox_describe.
;; lacks wasmsandbox_describe
(module
)
