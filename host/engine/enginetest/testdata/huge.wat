;; A memory that starts beyond any limit an engine is given in tests.
(module (memory (export "memory") 60000))
