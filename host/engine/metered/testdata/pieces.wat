;; Copies and fills as much as it is told to.
(module
  (memory (export "memory") 640) ;; 40 MiB
  (func (export "copy") (param i32 i32 i32)
    (memory.copy (local.get 0) (local.get 1) (local.get 2)))
  (func (export "fill") (param i32 i32 i32)
    (memory.fill (local.get 0) (local.get 1) (local.get 2)))
  (func (export "copy_known") (param i32 i32)
    (memory.copy (local.get 0) (local.get 1) (i32.const 20000001)))
  (func (export "fill_known") (param i32 i32)
    (memory.fill (local.get 0) (local.get 1) (i32.const 20000001))))
