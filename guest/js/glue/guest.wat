;; What stands between the ABI and QuickJS: the guest's exports. The interpreter is
;; told of the session by one JavaScript function, dispatch, and calls the host
;; through another, which ends in host.wat. See assemble.go for the notation.

import wasmsandbox_v1 log i32 i32 i32 -> i32
import wasmsandbox_v1 fail i32 i32 -> i32
import wasmsandbox_v1 blob_len i32 -> i64
import wasmsandbox_v1 blob_read i32 i64 i32 i32 -> i32
import wasmsandbox_v1 blob_new -> i32
import wasmsandbox_v1 blob_write i32 i32 i32 -> i32
import wasmsandbox_v1 extension i32 i32 i32 -> i64
import wasi_snapshot_preview1 random_get i32 i32 -> i32

global context i32   ;; QuickJS's
global dispatch i64  ;; the JavaScript function
global arguments i32 ;; of a call of dispatch, three values
global reply i32     ;; where dispatch puts address and length, packed
global texts i32     ;; the runtime's files

;; Makes the interpreter, with a stack larger than the one it was linked with,
;; and has it read the program.
func _initialize
  local boot i64
  local stack i32
  local runtime i32
  i32.const STACK_SIZE
  call malloc
  local.tee stack
  i32.const STACK_SIZE
  i32.add
  global.set stack_pointer
  i32.const HEAP_LIMIT
  i32.const 0
  i32.const 0
  i32.const 0
  call New_QJS
  local.tee runtime
  i32.load ;; its first field is QuickJS's runtime
  local.get stack
  i32.const STACK_RESERVE
  i32.add
  i32.store RUNTIME_STACK_LIMIT
  local.get runtime
  call QJS_GetContext
  global.set context
  i32.const 24
  call malloc
  global.set arguments
  i32.const TEXTS_SIZE
  call malloc
  global.set texts
  global.get texts
  i32.const 0
  i32.const TEXTS_SIZE
  memory.init TEXTS_SEGMENT
  call boot
  local.set boot
  global.get arguments
  global.get context
  i64.const 0
  i64.const 0
  i64.const 0
  call QJS_CreateFunctionProxy
  i64.store
  global.get context
  local.get boot
  i64.const UNDEFINED
  i32.const 1
  global.get arguments
  i64.extend_i32_u
  call QJS_Call
  global.set dispatch
  i32.const EVENT_LOAD
  i32.const 0
  i32.const 0
  call serve
  drop

;; Evaluates a file of the runtime, and gives its default export.
func evaluate_text name:i32 source:i32 -> i64
  local value i64
  global.get texts
  local.get source
  i32.add
  global.get texts
  local.get name
  i32.add
  i32.const EVAL_MODULE
  call evaluate
  local.tee value
  i64.const 32
  i64.shr_u
  i32.wrap_i64
  i32.const TAG_EXCEPTION
  i32.eq
  if
    unreachable
  end
  local.get value

func evaluate source:i32 name:i32 flags:i32 -> i64
  local options i32
  local value i64
  local.get source
  i32.const 0
  i32.const 0
  local.get name
  local.get flags
  call QJS_CreateEvalOption
  local.set options
  global.get context
  local.get options
  call QJS_Eval
  local.set value
  local.get options
  call free
  local.get value

func wasmsandbox_abi_v1 -> i32
  i32.const 0

func wasmsandbox_buffer size:i32 -> i32
  i32.const EVENT_BUFFER
  local.get size
  i32.const 0
  call serve
  i32.wrap_i64

func wasmsandbox_describe -> i64
  i32.const EVENT_DESCRIBE
  i32.const 0
  i32.const 0
  call serve

func wasmsandbox_open length:i32 -> i64
  i32.const EVENT_OPEN
  local.get length
  i32.const 0
  call serve

func wasmsandbox_match handler:i32 length:i32 -> i64
  i32.const EVENT_MATCH
  local.get length
  local.get handler
  call serve

func wasmsandbox_respond handler:i32 length:i32 -> i64
  i32.const EVENT_RESPOND
  local.get length
  local.get handler
  call serve

func wasmsandbox_close -> i64
  i32.const EVENT_CLOSE
  i32.const 0
  i32.const 0
  call serve

;; Calls dispatch. An integer is a JavaScript value as it is. What dispatch
;; answers is at reply; when it throws, it couldn't even tell an error.
func serve event:i32 first:i32 second:i32 -> i64
  global.get arguments
  local.get event
  i64.extend_i32_u
  i64.store
  global.get arguments
  local.get first
  i64.extend_i32_u
  i64.store 8
  global.get arguments
  local.get second
  i64.extend_i32_u
  i64.store 16
  global.get context
  global.get dispatch
  i64.const UNDEFINED
  i32.const 3
  global.get arguments
  i64.extend_i32_u
  call QJS_Call
  i64.const 32
  i64.shr_u
  i32.wrap_i64
  if
    global.get texts
    i32.const PANIC
    i32.add
    i32.const PANIC_SIZE
    call fail
    drop
    i64.const 0
    return
  end
  global.get reply
  i64.load
