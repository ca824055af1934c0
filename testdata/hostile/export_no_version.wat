;; It has no version function.
;; lacks wasmsandbox_abi_v1
(module
)
