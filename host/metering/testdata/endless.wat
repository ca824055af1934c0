;; Functions that don't end by themselves, or hardly ever.
(module
  (type $nothing (func))
  (type $number (func (param i32) (result i32)))
  (import "env" "note" (func $note (param i32)))
  (memory 1)
  (table funcref (elem $indirect $note))
  (global $turns (mut i32) (i32.const 0))
  (func (export "loop") loop br 0 end)
  (func (export "loopWithBody") (local i32)
    loop local.get 0 i32.const 1 i32.add local.set 0 br 0 end)
  (func (export "loopWithParam") (result i32)
    i32.const 0
    loop (param i32) (result i32) i32.const 1 i32.add br 0 end)
  (func (export "loopWithParams") (result i32 i64)
    i32.const 0 i64.const 0
    loop (param i32 i64) (result i32 i64) br 0 end)
  (func (export "loopWithResult") (result i64)
    loop (result i64) br 0 end)
  (func (export "conditional") loop i32.const 1 br_if 0 end)
  (func (export "table") (local i32)
    block loop
      block block
        local.get 0 i32.const 1 i32.add local.tee 0 i32.const 1 i32.and
        br_table 0 1 2
      end
      br 1
      end
      br 0
    end end)
  (func (export "nested") (local i32)
    loop
      i32.const 3 local.set 0
      loop local.get 0 i32.const 1 i32.sub local.tee 0 br_if 0 end
      br 0
    end)
  (func (export "inElse") (param i32)
    i32.const 0
    if else loop br 0 end end)
  (func (export "afterBranch")
    block br 0 loop br 0 end end
    loop br 0 end)
  (func $calls (export "calls") i32.const 7 call $note call $leaf)
  (func $leaf)
  (func (export "loopOfCalls") loop call $calls br 0 end)
  (func $indirect (export "loopOfIndirectImports")
    loop i32.const 9 i32.const 1 call_indirect (param i32) br 0 end)
  (func $recursion (export "recursion") (result i32)
    call $recursion i32.const 1 i32.add)
  (func $even (export "mutual") (param i32) (result i32)
    local.get 0 call $odd)
  (func $odd (param i32) (result i32)
    local.get 0 call $even)
  (func $tree (export "tree") (param i32)
    local.get 0 i32.eqz
    br_if 0
    local.get 0 i32.const 1 i32.sub call $tree
    local.get 0 i32.const 1 i32.sub call $tree)
  (func (export "fills")
    loop i32.const 0 i32.const 1 memory.size i32.const 16 i32.shl memory.fill br 0 end)
  (func (export "doubling") ;; memory.copy of all that there is, without a loop of their own
    i32.const 0 i32.const 0 memory.size i32.const 16 i32.shl memory.copy
    i32.const 0 i32.const 0 memory.size i32.const 16 i32.shl memory.copy
    i32.const 0 i32.const 0 memory.size i32.const 16 i32.shl memory.copy
    i32.const 0 i32.const 0 memory.size i32.const 16 i32.shl memory.copy)
  (func (export "grows") loop i32.const 0 memory.grow drop br 0 end)
  (func $loop-recursion (export "loopThenRecursion") (local i32)
    loop local.get 0 i32.const 1 i32.add local.tee 0 i32.const 2 i32.lt_u br_if 0 end
    call $loop-recursion)
  (func $recursion-loop (export "recursionThenLoop") (local i32)
    call $recursion-loop
    loop local.get 0 i32.const 1 i32.add local.tee 0 i32.const 2 i32.lt_u br_if 0 end)
  (func $rare (export "recursionInRareArm") (result i32)
    call $one if call $rare return end
    loop end
    i32.const 0)
  (func $skipped (export "recursionBesideLoop")
    i32.const 1 if else loop end end
    call $skipped)
  (func $one (result i32) i32.const 1)
)
