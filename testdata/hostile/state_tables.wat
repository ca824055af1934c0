;; Changes what can't be put back: tables, and which segments there are. A byte after ! in the command says what.
(module
  (type $answer (func (result i32)))
  (table $t 3 8 funcref)
  (elem (i32.const 0) $one)
  (elem $spare func $two)
  (data $bytes "s")
  (func $one (result i32) (i32.const 1))
  (func $two (result i32) (i32.const 2))
  (func $asked (param $len i32) (result i32)
    (local $at i32)
    (block $none (loop $next
      (br_if $none (i32.ge_u (local.get $at) (local.get $len)))
      (if (i32.eq (i32.load8_u (i32.add (i32.const 0x8000) (local.get $at))) (i32.const 0x21)) (then
        (return (i32.load8_u (i32.add (i32.const 0x8001) (local.get $at))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $next)))
    (i32.const 0))
  (func $letter (param $at i32) (param $n i32)
    (i32.store8 (i32.add (i32.const 0x168) (local.get $at)) (i32.add (i32.const 0x61) (i32.and (local.get $n) (i32.const 15)))))
  (func (export "wasmsandbox_respond") (param i32) (param $len i32) (result i64)
    (local $op i32)
    (local.set $op (call $asked (local.get $len)))
    (if (i32.eq (local.get $op) (i32.const 0x73)) (then (table.set $t (i32.const 0) (ref.func $two)))) ;; s
    (if (i32.eq (local.get $op) (i32.const 0x77)) (then (drop (table.grow $t (ref.null func) (i32.const 1))))) ;; w
    (if (i32.eq (local.get $op) (i32.const 0x66)) (then (table.fill $t (i32.const 0) (ref.func $two) (i32.const 2)))) ;; f
    (if (i32.eq (local.get $op) (i32.const 0x6e)) (then (table.init $t $spare (i32.const 0) (i32.const 0) (i32.const 1)))) ;; n
    (if (i32.eq (local.get $op) (i32.const 0x63)) (then (table.copy $t $t (i32.const 1) (i32.const 0) (i32.const 1)))) ;; c
    (if (i32.eq (local.get $op) (i32.const 0x64)) (then (data.drop $bytes))) ;; d
    (if (i32.eq (local.get $op) (i32.const 0x65)) (then (elem.drop $spare))) ;; e
    (if (i32.eq (local.get $op) (i32.const 0x78)) (then ;; x: trap if a segment is gone
      (memory.init $bytes (i32.const 0x200) (i32.const 0) (i32.const 1))
      (table.init $t $spare (i32.const 2) (i32.const 0) (i32.const 1))))
    (call $letter (i32.const 0) (call_indirect (type $answer) (i32.const 0)))
    (call $letter (i32.const 1) (table.size $t))
    (call $letter (i32.const 2) (ref.is_null (table.get $t (i32.const 1))))
    (call $letter (i32.const 3) (ref.is_null (table.get $t (i32.const 2))))
    (i64.const 0x1600000000c))
)
