package guest

import (
	"errors"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A Code is the code of a sandbox error. It is an error by itself: a handler may
// return one, and errors.Is finds it in a [*SandboxError].
type Code = abi.Code

// A SandboxError is an error of the sandbox, which the session's caller gets as
// if a real sandbox had raised it.
//
//	return nil, guest.NewError(guest.CodeExecTimeout).With("timeout_s", 5).WithRetryable(true)
type SandboxError struct {
	Code      Code
	Op        string  // "": the code's own
	Message   string  // "": the code's own
	Context   []Entry // ascending by key
	Retryable abi.Retryable
}

// NewError makes an error with a code, which must not be empty. The host fills in
// the operation and the message that go with it, unless they are given.
func NewError(code Code) *SandboxError { return &SandboxError{Code: code} }

// With sets one value of the error's context, and returns the error. The value is
// nil, a bool, an int, int32, int64 or uint32, a string, []byte, []string, []Value
// or []Entry. What isn't UTF-8 in a text is replaced. With any other type the
// handler fails.
func (e *SandboxError) With(key string, value any) *SandboxError {
	e.Context = setEntry(e.Context, key, value)
	return e
}

// WithOp sets the operation, and returns the error.
func (e *SandboxError) WithOp(op string) *SandboxError { e.Op = op; return e }

// WithMessage sets the message, and returns the error.
func (e *SandboxError) WithMessage(message string) *SandboxError { e.Message = message; return e }

// WithRetryable says whether the same call may succeed later, and returns the
// error.
func (e *SandboxError) WithRetryable(retryable bool) *SandboxError {
	e.Retryable = abi.RetryableNo
	if retryable {
		e.Retryable = abi.RetryableYes
	}
	return e
}

// Error is the code, and the message if there is one.
func (e *SandboxError) Error() string {
	switch {
	case e == nil:
		return "a nil *SandboxError"
	case e.Message == "":
		return e.Code.Error()
	default:
		return e.Code.Error() + ": " + e.Message
	}
}

// Unwrap is the code.
func (e *SandboxError) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Code
}

// errNoCode is what a handler that returns a sandbox error without a code fails
// with: the host would refuse the reply, and give up the guest.
var errNoCode = errors.New("the handler returned a sandbox error without a code")

// sandboxError finds the sandbox error in what a handler returned.
func sandboxError(err error) (*SandboxError, bool) {
	if e, ok := errors.AsType[*SandboxError](err); ok && e != nil {
		return e, true
	}
	if code, ok := errors.AsType[Code](err); ok {
		return NewError(code), true
	}
	return nil, false
}

// valueOf turns what a Go program has at hand into a Value.
func valueOf(value any) Value {
	switch v := value.(type) {
	case string:
		return strings.ToValidUTF8(v, "\uFFFD")
	case int:
		return int64(v)
	case int32:
		return int64(v)
	case uint32:
		return int64(v)
	case []string:
		return valuesOf(v)
	case []Value:
		return valuesOf(v)
	case []Entry:
		return entriesOf(v)
	default: // encoded as it is, or found by abi.CheckEntries
		return v
	}
}

func valuesOf[T any](list []T) []Value {
	values := make([]Value, len(list))
	for i, v := range list {
		values[i] = valueOf(v)
	}
	return values
}

func entriesOf(list []Entry) []Entry {
	entries := make([]Entry, 0, len(list))
	for _, e := range list {
		entries = setEntry(entries, e.Key, e.Value)
	}
	return entries
}

// setEntry sets a value in entries that ascend by their keys.
func setEntry(entries []Entry, key string, value any) []Entry {
	entry := Entry{Key: key, Value: valueOf(value)}
	i, found := slices.BinarySearchFunc(entries, key, compareKey)
	if found {
		entries[i] = entry
		return entries
	}
	return slices.Insert(entries, i, entry)
}

func compareKey(e Entry, key string) int { return strings.Compare(e.Key, key) }
