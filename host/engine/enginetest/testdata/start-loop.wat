(module
  (func $begin (loop $again (br $again)))
  (start $begin))
