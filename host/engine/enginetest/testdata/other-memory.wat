;; The only memory has another name than "memory".
(module
  (memory (export "mem") 1)
  (func (export "memory")))
