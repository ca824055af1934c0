;; It has no wasmsandbox_buffer.
;; lacks wasmsandbox_buffer
(module
)
