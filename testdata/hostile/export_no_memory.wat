;; It has a memory, which it exports under another name.
;; lacks memory
(module
  (memory (export "mem") 1)
)
