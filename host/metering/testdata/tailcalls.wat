;; Tail calls, direct and indirect, with and without results.
(module
  (type $sum (func (param i32 i64) (result i64)))
  (import "env" "twice" (func $twice (param i32) (result i32)))
  (table funcref (elem $sum $even $down))
  (func $sum (export "sum") (type $sum)
    local.get 0 i32.eqz if local.get 1 return end
    local.get 0 i32.const 1 i32.sub
    local.get 1 local.get 0 i64.extend_i32_u i64.add
    return_call $sum)
  (func $even (export "even") (type $sum)
    block
      local.get 0 br_if 0
      i64.const 1 return
    end
    local.get 0 i32.const 1 i32.sub local.get 1
    i32.const 2 return_call_indirect (type $sum))
  (func $down (type $sum)
    local.get 0 i32.eqz if i64.const 0 return end
    local.get 0 i32.const 1 i32.sub local.get 1 return_call $even)
  (func (export "host") (param i32) (result i32)
    local.get 0 return_call $twice)
  (func $endless (export "endless") return_call $endless)
  (func $deep (export "deep") (param i32) (result i32)
    local.get 0 i32.eqz if i32.const 0 return end
    local.get 0 i32.const 1 i32.sub call $through i32.const 1 i32.add)
  (func $through (param i32) (result i32)
    local.get 0 return_call $deep)
)
