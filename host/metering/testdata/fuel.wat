;; Each function says what a call of it costs: an instruction is 1, but block,
;; loop, else, end and nop are 0, and ref.func and table.grow 32.
(module
  (memory 1)
  (table 8 100 funcref)
  (func (export "empty"))
  (func (export "two") (result i32)          ;; 2
    block (result i32)
      nop i32.const 7
    end
    i32.eqz)
  (func $add (export "add") (param i32 i32) (result i32) ;; 3
    local.get 0 local.get 1 i32.add)
  (func (export "call") (result i32)         ;; 3, and 3 for the callee
    i32.const 1 i32.const 2 call $add)
  (func (export "count") (param i32) (result i32) ;; 5 a round, and 1
    loop
      local.get 0 i32.const 1 i32.sub local.tee 0
      br_if 0
    end
    local.get 0)
  (func (export "arms") (param i32) (result i32) ;; 2, and 11 or 7
    local.get 0
    if (result i32)
      i32.const 1 i32.const 2 i32.add i32.const 3 i32.add i32.const 4 i32.add i32.const 5 i32.add i32.const 6 i32.add
    else
      i32.const 1 i32.const 2 i32.add i32.const 3 i32.add i32.const 4 i32.add
    end)
  (func (export "small") (param i32)         ;; 2, and 2 for the arm, taken or not
    local.get 0
    if i32.const 1 drop end)
  (func (export "early") (param i32) (result i32) ;; 4, and 9 if it is not 0
    i32.const 0
    local.get 0 i32.eqz br_if 0
    drop
    i32.const 1 i32.const 2 i32.add i32.const 3 i32.add i32.const 4 i32.add local.tee 0)
  (func (export "switch") (param i32) (result i32) ;; 2, and 6 or 7 or 7
    block block block
      local.get 0
      br_table 0 1 2
    end
      i32.const 10 i32.const 1 i32.mul i32.const 1 i32.mul return
    end
      i32.const 20 i32.const 2 i32.mul i32.const 2 i32.mul i32.eqz return
    end
    i32.const 30 i32.const 3 i32.mul i32.const 3 i32.mul i32.eqz i32.eqz nop)
  (func (export "fill") (param i32)          ;; 4, and 1 for each 8 bytes
    i32.const 0 i32.const 1 local.get 0 memory.fill)
  (func (export "copy")                      ;; 4, and 100 for 800 bytes
    i32.const 0 i32.const 1000 i32.const 800 memory.copy)
  (func (export "grow") (param i32) (result i32) ;; 2, and 8192 a page if it grew
    local.get 0 memory.grow)
  (func (export "growTable") (param i32) (result i32) ;; 34, and 1 for each entry if it grew
    ref.null func local.get 0 table.grow 0)
  (func (export "refer") (result i32)        ;; 33
    ref.func $add ref.is_null)
  (func (export "fillTable") (param i32)     ;; 4, and 1 for each entry
    i32.const 0 ref.null func local.get 0 table.fill 0)
  (func (export "endless") loop br 0 end)    ;; 1 a round
  (func (export "afterCall") (param i32) (result i32) ;; 9, and 3 for the callee, whether it returns early or not
    local.get 0 i32.const 0 call $add
    if i32.const 1 return end
    i32.const 1 i32.const 2 i32.add)
)
