(module
  (func $fault_start unreachable)
  (start $fault_start))
