;; Its describe answers with a reference.
(module
  (func (export "wasmsandbox_describe") (result externref) (ref.null extern))
)
