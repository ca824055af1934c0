;; No memory at all.
;; lacks memory
;; lacks data
(module
)
