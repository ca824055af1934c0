;; A function for each thing in WebAssembly that the rewriter has to read past or
;; change. Each is called with some numbers, and gives one.
(module
  (type $binary (func (param i32 i32) (result i32)))
  (type $pair (func (param i32) (result i32 i32)))
  (import "env" "note" (func $note (param i32)))
  (import "env" "twice" (func $twice (param i32) (result i32)))
  (memory (export "memory") 1 3)
  (table $fns (export "fns") 10 20 funcref)
  (table $refs 4 externref)
  (global $constant i32 (i32.const 40))
  (global $count (export "count") (mut i32) (i32.const 0))
  (global $wide (mut i64) (i64.const -5))
  (global $f (mut f64) (f64.const 2.5))
  (global $v (mut v128) (v128.const i64x2 1 2))
  (global $ref (mut funcref) (ref.func $sub))
  (global $const-ref funcref (ref.func $add))
  (elem (i32.const 0) func $add $sub $twice)             ;; kind 0
  (elem $passive func $sub $add $note)                   ;; 1
  (elem (table $fns) (i32.const 4) func $mul)            ;; 2
  (elem declare func $declared)                          ;; 3
  (elem (table $fns) (i32.const 5) funcref (ref.func $mul) (ref.null func) (item ref.func $twice)) ;; 6
  (elem $exprs funcref (ref.func $mul) (ref.func $sub))  ;; 5
  (data (i32.const 16) "sixteen")
  (data $text "passive text")
  (start $start)

  (func $start i32.const 1 global.set $count i32.const 77 call $note)
  (func $add (type $binary) local.get 0 local.get 1 i32.add)
  (func $sub (type $binary) local.get 0 local.get 1 i32.sub)
  (func $mul (type $binary) local.get 0 local.get 1 i32.mul)
  (func $declared (result i32) i32.const 99)
  (func $divmod (type $binary) local.get 0 local.get 1 i32.div_s)
  (func $split (type $pair)
    local.get 0 i32.const 1000 i32.gt_u
    if local.get 0 i32.const 1000 i32.sub i32.const 1000 return end
    local.get 0 i32.const 10 i32.div_u
    local.get 0 i32.const 10 i32.rem_u
    local.get 0 br_if 0
    drop drop i32.const -1 i32.const -2)

  (func (export "calls") (type $binary)
    local.get 0 local.get 1 call $add
    local.get 0 local.get 1 call $sub
    call $mul call $twice
    global.get $count i32.const 1 i32.add global.set $count)
  (func (export "divide") (type $binary) local.get 0 local.get 1 call $divmod)
  (func (export "indirect") (type $binary)
    local.get 0 local.get 1 local.get 0 call_indirect $fns (type $binary))
  (func (export "pairs") (type $binary) (local i32 i32)
    local.get 0 call $split local.set 3 local.set 2
    local.get 1 call $split local.get 2 i32.mul local.get 3 i32.add i32.add)
  (func (export "references") (type $binary)
    ref.func $declared
    global.get $ref
    local.get 0 select (result funcref)
    ref.is_null
    global.get $const-ref ref.is_null i32.const 1 i32.shl i32.add
    i32.const 0 table.get $refs ref.is_null i32.const 2 i32.shl i32.add
    i32.const 3 ref.func $declared table.set $fns
    i32.const 3 call_indirect $fns (result i32) i32.add
    ref.null extern i32.const 2 table.grow $refs i32.add
    i32.const 1 ref.null extern local.get 1 i32.const 7 i32.and table.fill $refs
    table.size $refs i32.add)
  (func (export "tables") (type $binary)
    i32.const 7 i32.const 0 local.get 0 i32.const 3 i32.and table.init $fns $passive
    elem.drop $exprs
    i32.const 0 i32.const 6 local.get 1 i32.const 3 i32.and table.copy $fns $fns
    local.get 0 local.get 1 i32.const 0 call_indirect $fns (type $binary))
  (func (export "memories") (type $binary)
    local.get 0 i32.const 0 local.get 1 memory.init $text
    i32.const 300 local.get 0 local.get 1 memory.copy
    i32.const 200 i32.const 65 i32.const 21 memory.fill
    local.get 1 memory.grow
    memory.size i32.const 16 i32.shl i32.add
    i32.const 300 i32.load8_u offset=2 i32.add
    local.get 0 i32.load16_s align=1 i32.add
    i32.const 400 local.get 0 i64.extend_i32_s i64.store32 offset=70000)
  (func (export "numbers") (type $binary)
    local.get 0 i32.extend8_s i64.extend_i32_u local.get 1 i64.extend_i32_s i64.extend16_s i64.add
    f64.convert_i64_s f64.const 1e10 f64.mul i32.trunc_sat_f64_s
    local.get 0 f32.convert_i32_s f32.const 0.5 f32.div i64.trunc_sat_f32_u i32.wrap_i64 i32.xor
    global.get $f f64.sqrt i32.trunc_f64_u i32.add
    i64.const -9223372036854775808 i64.const 63 i64.shr_u i32.wrap_i64 i32.add
    global.get $constant i32.add)
  (func (export "vectors") (type $binary) (local v128)
    local.get 0 i32x4.splat local.get 1 i32x4.replace_lane 2 local.tee 2
    v128.const i32x4 1 2 3 4 i32x4.add
    global.get $v
    i8x16.shuffle 0 1 2 3 20 21 22 23 8 9 10 11 28 29 30 31
    global.set $v
    i32.const 512 global.get $v v128.store offset=16 align=4
    i32.const 520 global.get $v v128.load16_lane offset=2 7 global.set $v
    i32.const 524 global.get $v v128.store8_lane 3
    i32.const 512 v128.load32_zero v128.not i32x4.extract_lane 0
    i32.const 512 v128.load8x8_s i16x8.extract_lane_u 1 i32.add
    global.get $v i64x2.extract_lane 0 i32.wrap_i64 i32.add
    local.get 2 v128.any_true i32.add)
  (func (export "blocks") (type $binary) (local i32)
    local.get 0
    local.get 1
    block (param i32 i32) (result i32)
      i32.sub
      local.tee 2
      local.get 2 i32.const 5 i32.lt_s br_if 0
      if (result i32) i32.const 12 else i32.const 13 br 0 end
    end
    loop (param i32) (result i32)
      i32.const 1 i32.sub
      local.get 0 i32.const 1 i32.sub local.tee 0
      i32.const 0 i32.gt_s br_if 0
    end
    loop (result i32)
      block $out (result i32)
        block $two block $one block $zero
          local.get 1 i32.const 1 i32.add local.tee 1 i32.const 3 i32.and
          br_table $zero $one $two
        end
          i32.const 100 br $out
        end
          i32.const 200 br 2
        end
        i32.const 300 local.get 0 br_if $out drop i32.const 301
      end
      nop
    end
    i32.add)
  (func (export "leaves") (type $binary)
    local.get 0
    loop
      local.get 1 i32.const 1 i32.sub local.tee 1
      i32.eqz if local.get 0 i32.const 3 i32.mul return end
      loop
        local.get 0 i32.const 3 i32.add local.tee 0
        i32.const 50 i32.gt_s if local.get 0 local.get 1 br 3 end
        local.get 0 i32.const 1 i32.and br_if 0
      end
      br 0
    end
    unreachable)
  (func $fib (export "fib") (type $binary)
    local.get 0 i32.const 2 i32.lt_s if local.get 0 return end
    local.get 0 i32.const 1 i32.sub local.get 1 call $fib
    local.get 0 i32.const 2 i32.sub local.get 1 call $fib
    i32.add
    local.get 1 br_if 0
    i32.const 1 i32.add)
  (func (export "unreachable") (type $binary)
    unreachable
    memory.grow
    loop (result i32) i32.const 1 memory.grow call $twice br 0 end
    drop i32.add memory.fill
    block br 0 loop br 1 end end
    local.get 0
    return)
)
