package js

import (
	_ "embed"
	"fmt"
	"sync"
)

//go:embed glue/guest.wat
var glueOfGuest string

//go:embed glue/host.wat
var glueOfHost string

// Interpreter gives the guest that runs JavaScript: QuickJS-NG behind the ABI, in
// one module. It reads its program, as Program makes it, from standard input. The
// module is put together at the first call, which takes some milliseconds, and is
// the same each time. The caller must not change it.
func Interpreter() ([]byte, error) { return interpreter() }

var interpreter = sync.OnceValues(func() ([]byte, error) { return build(nil) })

// Bundle gives a guest that has its program in it, for hosts that know nothing of
// JavaScript. Each bundle is compiled on its own; what Load loads is compiled once
// for all programs.
func Bundle(filename string, source []byte) ([]byte, error) {
	program, err := Program(filename, source)
	if err != nil {
		return nil, err
	}
	return build(program)
}

func build(program []byte) ([]byte, error) {
	if err := checkQuickJS(quickJS); err != nil {
		return nil, err
	}
	guest, err := link(quickJS, program)
	if err != nil {
		return nil, fmt.Errorf("js: making a guest of the interpreter: %w", err)
	}
	return guest, nil
}

// Sizes in bytes.
const (
	// stackSize is the stack for C of the interpreter. It was linked with one of
	// 64 KiB, which is too small for recursion in JavaScript.
	stackSize = 1 << 20

	// stackReserve is the part of it that only C functions which don't look at the
	// limit get to use. Recursion that reaches it becomes an exception.
	stackReserve = 256 << 10

	// runtimeStackLimit is the offset of JSRuntime.stack_limit, an address. QuickJS
	// compares the stack pointer with it in all builds, and sets it in all but those
	// for WASI, where it stays 0.
	runtimeStackLimit = 128

	// heapLimit is where the interpreter is out of memory, which is an exception.
	// It is below what the engine gives to an instance, so that what the glue needs
	// is still to be had.
	heapLimit = 448 << 20
)

// What the glue calls JavaScript for, and what JavaScript calls the glue for. Both
// are known by their index.
var (
	events     = []string{"LOAD", "BUFFER", "DESCRIBE", "OPEN", "MATCH", "RESPOND", "CLOSE"}
	operations = []string{
		"LOG", "FAIL", "BLOB_LEN", "BLOB_READ", "BLOB_NEW", "BLOB_WRITE", "EXTENSION", "RANDOM", "ADDRESS", "REPLY",
		"DECODE", "ENCODE", "COMPILE", "JOBS", "STDIN", "PROGRAM_LEN", "PROGRAM_COPY",
	}
)

// constants are the numbers that the glue uses by name. Values of JavaScript have
// a tag in their upper 32 bits; that of integers is 0.
func constants(texts *texts, segment uint32) map[string]int64 {
	c := map[string]int64{
		"STACK_SIZE": stackSize, "STACK_RESERVE": stackReserve, "RUNTIME_STACK_LIMIT": runtimeStackLimit, "HEAP_LIMIT": heapLimit,
		"UNDEFINED": 3 << 32, "EXCEPTION": 6 << 32, "TAG_EXCEPTION": 6,
		"EVAL_SCRIPT": 0, "EVAL_MODULE": 1, "EVAL_COMPILE": 1 | 1<<5,
		"TEXTS_SIZE": int64(len(texts.data)), "TEXTS_SEGMENT": int64(segment),
		"EMPTY_SCRIPT": texts.emptyScript, "PANIC": texts.panic, "PANIC_SIZE": texts.panicSize,
		"PROGRAM": texts.program, "PROGRAM_SIZE": texts.programSize,
	}
	for i, name := range events {
		c["EVENT_"+name] = int64(i)
	}
	for i, name := range operations {
		c["OP_"+name] = int64(i)
	}
	return c
}
