;; Functions and locals with names, some of which trap, and an import between.
(module
  (import "env" "note" (func $host_note (param i32)))
  (import "env" "twice" (func $host_twice (param i32) (result i32)))
  (memory 1)
  (func $innermost (param $divisor i32) (result i32) (local $unused i64)
    i32.const 1 local.get $divisor i32.div_s)
  (func $middle (param $x i32) (result i32)
    loop $again (result i32)
      local.get $x call $host_twice call $innermost
    end)
  (func $outermost (export "divide") (param $x i32) (result i32)
    local.get $x call $middle i32.const 1 i32.add)
)
