;; What JavaScript calls: the host's functions, and those of the interpreter that it
;; lacks. The file runtime/host.js is the other side.

;; An argument of jsFunctionProxy, counted from 0. The interpreter puts four
;; values of its own before the operation.
func argument arguments:i32 index:i32 -> i64
  global.get context
  local.get arguments
  local.get index
  i32.const 3
  i32.shl
  i32.add
  i64.load 40
  call QJS_ToInt64

func argument32 arguments:i32 index:i32 -> i32
  local.get arguments
  local.get index
  call argument
  i32.wrap_i64

;; What JavaScript calls: an operation with its arguments.
func jsFunctionProxy ctx:i32 this:i64 count:i32 arguments:i32 -> i64
  local operation i32
  local.get arguments
  i32.const -1
  call argument32
  local.tee operation
  i32.const OP_LOG
  i32.eq
  if
    local.get arguments
    i32.const 0
    call argument32
    local.get arguments
    i32.const 1
    call argument32
    local.get arguments
    i32.const 2
    call argument32
    call log
    call integer
    return
  end
  local.get operation
  i32.const OP_FAIL
  i32.eq
  if
    local.get arguments
    i32.const 0
    call argument32
    local.get arguments
    i32.const 1
    call argument32
    call fail
    call integer
    return
  end
  local.get operation
  i32.const OP_BLOB_LEN
  i32.eq
  if
    local.get ctx
    local.get arguments
    i32.const 0
    call argument32
    call blob_len
    call QJS_NewInt64
    return
  end
  local.get operation
  i32.const OP_BLOB_READ
  i32.eq
  if
    local.get arguments
    i32.const 0
    call argument32
    local.get arguments
    i32.const 1
    call argument
    local.get arguments
    i32.const 2
    call argument32
    local.get arguments
    i32.const 3
    call argument32
    call blob_read
    call integer
    return
  end
  local.get operation
  i32.const OP_BLOB_NEW
  i32.eq
  if
    call blob_new
    call integer
    return
  end
  local.get operation
  i32.const OP_BLOB_WRITE
  i32.eq
  if
    local.get arguments
    i32.const 0
    call argument32
    local.get arguments
    i32.const 1
    call argument32
    local.get arguments
    i32.const 2
    call argument32
    call blob_write
    call integer
    return
  end
  local.get operation
  i32.const OP_EXTENSION
  i32.eq
  if
    local.get ctx
    local.get arguments
    i32.const 0
    call argument32
    local.get arguments
    i32.const 1
    call argument32
    local.get arguments
    i32.const 2
    call argument32
    call extension
    call QJS_NewInt64
    return
  end
  local.get operation
  i32.const OP_RANDOM
  i32.eq
  if
    local.get arguments
    i32.const 0
    call argument32
    local.get arguments
    i32.const 1
    call argument32
    call random_get
    call integer
    return
  end
  local.get operation
  i32.const OP_ADDRESS
  i32.eq
  if
    local.get arguments
    i64.load 40
    call address
    return
  end
  local.get operation
  i32.const OP_REPLY
  i32.eq
  if
    local.get arguments
    i32.const 0
    call argument32
    global.set reply
    i64.const UNDEFINED
    return
  end
  local.get operation
  i32.const OP_DECODE
  i32.eq
  if
    local.get ctx
    local.get arguments
    i32.const 0
    call argument32
    call QJS_NewString
    return
  end
  local.get operation
  i32.const OP_ENCODE
  i32.eq
  if
    local.get arguments
    i64.load 40
    local.get arguments
    i32.const 1
    call argument32
    call encode
    return
  end
  local.get operation
  i32.const OP_COMPILE
  i32.eq
  if
    local.get arguments
    i32.const 0
    call argument32
    local.get arguments
    i32.const 1
    call argument32
    call compile
    return
  end
  local.get operation
  i32.const OP_JOBS
  i32.eq
  if
    global.get texts
    i32.const EMPTY_SCRIPT
    i32.add
    global.get texts
    i32.const EMPTY_SCRIPT
    i32.add
    i32.const EVAL_SCRIPT
    call evaluate
    return
  end
  local.get operation
  i32.const OP_STDIN
  i32.eq
  if
    i32.const 0
    local.get arguments
    i32.const 0
    call argument32
    i32.const 1
    local.get arguments
    i32.const 1
    call argument32
    call fd_read
    call integer
    return
  end
  local.get operation
  i32.const OP_PROGRAM_LEN
  i32.eq
  if
    i32.const PROGRAM_SIZE
    call integer
    return
  end
  local.get operation
  i32.const OP_PROGRAM_COPY
  i32.eq
  if
    local.get arguments
    i32.const 0
    call argument32
    global.get texts
    i32.const PROGRAM
    i32.add
    i32.const PROGRAM_SIZE
    memory.copy
    i64.const UNDEFINED
    return
  end
  unreachable

;; A number of 32 bits, which is read as signed.
func integer value:i32 -> i64
  local.get value
  i64.extend_i32_u

;; Where the bytes of an ArrayBuffer are. They stay there as long as it lives.
func address buffer:i64 -> i64
  local place i32
  local packed i64
  global.get context
  local.get buffer
  call QJS_GetArrayBuffer
  local.tee place
  i32.eqz
  if
    i64.const EXCEPTION
    return
  end
  local.get place
  i64.load
  local.set packed
  local.get place
  call free
  global.get context
  local.get packed
  i64.const 32
  i64.shr_u
  call QJS_NewInt64

;; Puts a string without NUL at a place that has room for it, and gives its length.
func encode string:i64 to:i32 -> i64
  local place i32
  local packed i64
  global.get context
  local.get string
  call QJS_ToCString
  local.tee place
  i32.eqz
  if
    i64.const EXCEPTION
    return
  end
  local.get place
  i64.load
  local.set packed
  local.get place
  call free
  local.get to
  local.get packed
  i64.const 32
  i64.shr_u
  i32.wrap_i64
  local.get packed
  i32.wrap_i64
  memory.copy
  global.get context
  local.get packed
  i64.const 32
  i64.shr_u
  i32.wrap_i64
  call JS_FreeCString
  local.get packed
  i32.wrap_i64
  call integer

;; Compiles a module, which from then on can be imported by its name.
func compile source:i32 name:i32 -> i64
  local value i64
  local.get source
  local.get name
  i32.const EVAL_COMPILE
  call evaluate
  local.tee value
  i64.const 32
  i64.shr_u
  i32.wrap_i64
  i32.const TAG_EXCEPTION
  i32.eq
  if
    local.get value
    return
  end
  i64.const UNDEFINED
