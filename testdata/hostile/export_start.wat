;; A program that exports the functions of a guest, too.
(module
  (func (export "_start") (unreachable))
)
