package wazero

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero/sys"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
)

// A hostFailure carries the end of a host function through wazero.
type hostFailure struct {
	err    error
	reason string // set when the function panicked
}

func (f *hostFailure) Error() string { return f.err.Error() }

// callError translates the error of a call.
func callError(ctx context.Context, err error) error {
	if failure, ok := errors.AsType[*hostFailure](err); ok {
		if failure.reason == "" {
			return failure.err
		}
		return &engine.TrapError{Reason: adapter.FirstLine(failure.reason), Stack: guestStack(err), Err: failure.err}
	}
	if _, ok := errors.AsType[*sys.ExitError](err); ok {
		// wazero ends a guest by closing its module, whatever the reason.
		if err := engine.ContextError(ctx); err != nil {
			return err
		}
		return engine.ErrClosed
	}
	root := err
	for next := root; next != nil; next = errors.Unwrap(next) {
		root = next
	}
	return &engine.TrapError{Reason: adapter.FirstLine(root.Error()), Stack: guestStack(err), Err: err}
}

// guestStack is the part of wazero's error text that lists the guest's frames.
func guestStack(err error) string {
	_, after, ok := strings.Cut(err.Error(), "wasm stack trace:\n\t")
	if !ok {
		return ""
	}
	after, _, _ = strings.Cut(after, "\n\nGo runtime stack trace:")
	var frames strings.Builder
	for i, line := range strings.Split(after, "\n\t") {
		if i > 0 {
			frames.WriteByte('\n')
		}
		// The frame of a module without a name starts with the dot after it.
		frames.WriteString(strings.TrimPrefix(line, "."))
	}
	return frames.String()
}

// recovered turns a panic into the error of the function that defers it.
func recovered(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("engine: wazero panicked: %w", adapter.PanicError(r))
	}
}
