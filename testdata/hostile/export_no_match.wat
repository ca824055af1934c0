;; It has no wasmsandbox_match.
;; lacks wasmsandbox_match
(module
)
