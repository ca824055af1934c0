package guest

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

func TestErrorCarriesWhatItWasGiven(t *testing.T) {
	got := NewError(CodeExecTimeout).With("timeout_s", 5).With("argv", []string{"a", "\xff"}).With("argv2", nil).
		With("timeout_s", uint32(6)).With("nested", []Entry{kv("b", 1), kv("a", []Value{int32(2)})}).
		WithOp("exec").WithMessage("too slow").WithRetryable(true)
	want := &SandboxError{
		Code: CodeExecTimeout, Op: "exec", Message: "too slow", Retryable: abi.RetryableYes,
		Context: []Entry{
			kv("argv", []Value{"a", "\uFFFD"}),
			kv("argv2", nil),
			kv("nested", []Entry{kv("a", []Value{int64(2)}), kv("b", int64(1))}),
			kv("timeout_s", int64(6)),
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if err := abi.CheckEntries(got.Context); err != nil {
		t.Error(err)
	}
	if got.Error() != "sandbox error exec_timeout: too slow" || !errors.Is(got, CodeExecTimeout) {
		t.Errorf("as an error: %v", got)
	}
	if NewError("c").WithRetryable(false).Retryable != abi.RetryableNo {
		t.Error("not retryable is lost")
	}
}

func TestSandboxErrorIsFoundInWhatAHandlerReturns(t *testing.T) {
	e := NewError(CodeMountFailed)
	tests := map[string]struct {
		err  error
		code Code
	}{
		"itself":        {e, CodeMountFailed},
		"wrapped":       {fmt.Errorf("mounting: %w", e), CodeMountFailed},
		"a code":        {CodeGitClone, CodeGitClone},
		"another":       {errors.New("x"), ""},
		"a nil":         {(*SandboxError)(nil), ""},
		"a code joined": {errors.Join(errors.New("x"), CodeGitCopy), CodeGitCopy},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := sandboxError(tt.err)
			if ok != (tt.code != "") || ok && got.Code != tt.code {
				t.Errorf("got %+v, %v", got, ok)
			}
		})
	}
}
