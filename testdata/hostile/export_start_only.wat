;; A program, no guest.
;; lacks wasmsandbox_buffer
;; lacks wasmsandbox_describe
;; lacks wasmsandbox_open
;; lacks wasmsandbox_match
;; lacks wasmsandbox_respond
;; lacks wasmsandbox_close
;; lacks wasmsandbox_abi_v1
(module
  (func (export "_start"))
)
