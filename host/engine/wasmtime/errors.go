//go:build cgo

package wasmtime

// #include "bridge.h"
import "C"

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

var (
	errNoMemory = errors.New("there is no memory for the instance")
	errBusy     = errors.New("the instance is in a call already")
)

// A hostFailure is the end of a host function that ends the call.
type hostFailure struct {
	err    error
	reason string // set when the function panicked
}

// trap is the error of a call that can't be made.
func trap(err error) error { return &engine.TrapError{Reason: err.Error(), Err: err} }

// reasons are what other engines call the traps, in the words of the specification's
// tests.
var reasons = map[C.wasmtime_trap_code_t]string{
	0: "stack overflow",
	1: "out of bounds memory access",
	3: "invalid table access",
	4: "invalid table access",
	5: "indirect call type mismatch",
	6: "integer overflow",
	7: "integer divide by zero",
	8: "invalid conversion to integer",
	9: "unreachable",
}

// callError takes the failure of the last call, and translates it.
func (in *instance) callError(ctx context.Context) error {
	c := C.wasmsandbox_instance_failure(in.held.pointer)
	defer deleteFailure(c)
	if in.failure != nil && in.failure.reason == "" {
		return in.failure.err
	}
	if c.error != nil && in.failure == nil && in.interrupted.Load() {
		if err := engine.ContextError(ctx); err != nil {
			return err
		}
		return engine.ErrClosed
	}
	stack := stackOf(in.outline, c)
	if in.failure != nil {
		return &engine.TrapError{Reason: adapter.FirstLine(in.failure.reason), Stack: stack, Err: in.failure.err}
	}
	text, reason := message(c)
	return &engine.TrapError{Reason: reason, Stack: stack, Err: errors.New(text)}
}

// message is what the engine says, and that in one line.
func message(c C.wasmsandbox_failure) (text, reason string) {
	var bytes C.wasm_byte_vec_t
	if c.error != nil {
		C.wasmtime_error_message(c.error, &bytes)
		text = take(&bytes)
		return text, oneLine(text)
	}
	C.wasm_trap_message(c.trap, &bytes)
	text = strings.TrimRight(take(&bytes), "\x00")
	var code C.wasmtime_trap_code_t
	if C.wasmtime_trap_code(c.trap, &code) && reasons[code] != "" {
		return text, reasons[code]
	}
	return text, oneLine(text)
}

// oneLine joins an error with its causes, which the engine lists below it.
func oneLine(text string) string {
	var parts []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if number, cause, ok := strings.Cut(line, ": "); ok && strings.Trim(number, "0123456789") == "" {
			line = cause
		}
		if line != "" && line != "Caused by:" {
			parts = append(parts, line)
		}
	}
	return strings.Join(parts, ": ")
}

// maxFrames is how many frames of a stack the engine tells.
const maxFrames = 20

// stackOf lists the guest's frames, as wazero does.
func stackOf(o *outline.Outline, c C.wasmsandbox_failure) string {
	var frames C.wasm_frame_vec_t
	if c.error != nil {
		C.wasmtime_error_wasm_trace(c.error, &frames)
	} else {
		C.wasm_trap_trace(c.trap, &frames)
	}
	defer C.wasm_frame_vec_delete(&frames)
	var lines []string
	for _, frame := range unsafe.Slice(frames.data, frames.size) {
		index := uint32(C.wasm_frame_func_index(frame))
		name := fmt.Sprintf("$%d", index)
		if given := C.wasmtime_frame_func_name(frame); given != nil && given.size > 0 {
			name = C.GoStringN(given.data, C.int(given.size))
		}
		lines = append(lines, name+signature(o, index))
	}
	if len(lines) >= maxFrames {
		lines = append(lines, "... maybe followed by omitted frames")
	}
	return strings.Join(lines, "\n")
}

// takeError translates an error that isn't one of a call.
func takeError(c *C.wasmtime_error_t) error {
	_, text := message(C.wasmsandbox_failure{error: c})
	C.wasmtime_error_delete(c)
	return errors.New(text)
}

func deleteFailure(c C.wasmsandbox_failure) {
	if c.error != nil {
		C.wasmtime_error_delete(c.error)
	}
	if c.trap != nil {
		C.wasm_trap_delete(c.trap)
	}
}

// take frees what C has given.
func take(bytes *C.wasm_byte_vec_t) string {
	defer C.wasm_byte_vec_delete(bytes)
	return C.GoStringN(bytes.data, C.int(bytes.size))
}
