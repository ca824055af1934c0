package host

import (
	"slices"
	"strconv"
)

// A FieldError says which part of a plain value can't be used. Its text holds
// none of the value's own.
type FieldError struct {
	Field   string // for example "args[0]", "kwargs.timeout" or "stdout"; "" for the whole
	Problem string
}

func (e *FieldError) Error() string {
	if e.Field == "" {
		return e.Problem
	}
	return e.Field + " " + e.Problem
}

// NewRequest makes a request of plain arguments, as a call in a script file has
// them. Named arguments that are missing or nil take their defaults. The error is
// a *FieldError; such a call was never made (S2.14).
func NewRequest(method Method, args []any, kwargs map[string]any) (Request, error) {
	var failure *FieldError
	given := plainFields{failure: &failure, values: make(map[string]any, len(args))}
	for i, arg := range args {
		given.values["args["+strconv.Itoa(i)+"]"] = arg
	}
	named := plainFields{failure: &failure, prefix: "kwargs.", values: kwargs}
	request, want := newRequest(method, given, named)
	if want >= 0 && len(args) != want {
		given.fail("args", "must have "+values(want)+", not "+strconv.Itoa(len(args)))
	}
	named.onlyKnown(kwargNames[method])
	if failure != nil {
		return nil, failure
	}
	return request, nil
}

// values is a number of values.
func values(n int) string {
	if n == 1 {
		return "1 value"
	}
	return strconv.Itoa(n) + " values"
}

// kwargNames are the named arguments of the methods, in the original's order.
var kwargNames = map[Method][]string{
	MethodApplyPatch:    {"patch_format"},
	MethodExec:          {"timeout", "shell", "user"},
	MethodLs:            {"user"},
	MethodMkdir:         {"parents", "user"},
	MethodPTYExecStart:  {"timeout", "shell", "user", "tty", "yield_time_s", "max_output_tokens"},
	MethodPTYWriteStdin: {"session_id", "chars", "yield_time_s", "max_output_tokens"},
	MethodRead:          {"user"},
	MethodRm:            {"recursive", "user"},
	MethodWrite:         {"user"},
}

// KwargNames lists the named arguments of a method in the order in which the
// original records them. The caller owns the slice.
func KwargNames(method Method) []string { return slices.Clone(kwargNames[method]) }

// newRequest reads the arguments, and tells how many positional ones there must
// be; -1: any number.
func newRequest(method Method, given, named plainFields) (Request, int) {
	const path = "args[0]"
	switch method {
	case MethodApplyPatch:
		return &ApplyPatchRequest{
			Operations: given.operations(path), PatchFormat: named.textOr("patch_format", DefaultPatchFormat),
		}, 1
	case MethodExec:
		return &ExecRequest{
			Command: given.command(), Timeout: named.seconds("timeout"), Shell: named.shell("shell"),
			User: named.textOr("user", ""),
		}, -1
	case MethodPTYExecStart:
		return &PTYExecStartRequest{
			Command: given.command(), Timeout: named.seconds("timeout"), Shell: named.shell("shell"),
			User: named.textOr("user", ""), TTY: named.boolean("tty"),
			YieldTime: named.seconds("yield_time_s"), MaxOutputTokens: named.count("max_output_tokens"),
		}, -1
	case MethodPTYWriteStdin:
		return &PTYWriteStdinRequest{
			SessionID: named.integer("session_id"), Chars: named.text("chars"),
			YieldTime: named.seconds("yield_time_s"), MaxOutputTokens: named.count("max_output_tokens"),
		}, 0
	case MethodLs:
		return &LsRequest{Path: given.text(path), User: named.textOr("user", "")}, 1
	case MethodMkdir:
		return &MkdirRequest{
			Path: given.text(path), Parents: named.boolean("parents"), User: named.textOr("user", ""),
		}, 1
	case MethodRead:
		return &ReadRequest{Path: given.text(path), User: named.textOr("user", "")}, 1
	case MethodRm:
		return &RmRequest{
			Path: given.text(path), Recursive: named.boolean("recursive"), User: named.textOr("user", ""),
		}, 1
	case MethodWrite:
		return &WriteRequest{
			Path: given.text(path), Data: given.stream("args[1]").Reader(), User: named.textOr("user", ""),
		}, 2
	default:
		given.fail("method", "is unknown")
		return nil, -1
	}
}

// ParseResult makes the result of a method of a plain value, as a script file
// has it: a map for exec and the PTY methods, text for read and apply_patch, a
// list for ls, nil for the void methods. The error is a *FieldError.
func ParseResult(method Method, plain any) (any, error) {
	var failure *FieldError
	whole := plainFields{failure: &failure, values: map[string]any{"": plain}}
	result := parseResult(method, whole)
	if failure != nil {
		return nil, failure
	}
	return result, nil
}

func parseResult(method Method, whole plainFields) any {
	switch method {
	case MethodExec:
		m := whole.mapping("", "stdout", "stderr", "exit_code")
		return ExecResult{Stdout: m.bytes("stdout"), Stderr: m.bytes("stderr"), ExitCode: pointerOr(m.exitCode("exit_code"), 0)}
	case MethodPTYExecStart, MethodPTYWriteStdin:
		m := whole.mapping("", "process_id", "output", "exit_code", "original_token_count")
		return PTYUpdate{
			ProcessID: m.pointer("process_id"), Output: m.bytes("output"),
			ExitCode: m.exitCode("exit_code"), OriginalTokenCount: m.pointer("original_token_count"),
		}
	case MethodRead:
		return whole.stream("")
	case MethodApplyPatch:
		return whole.text("")
	case MethodLs:
		return whole.entries("")
	case MethodWrite, MethodRm, MethodMkdir:
		if whole.values[""] != nil {
			whole.mismatch("", "null")
		}
		return nil
	default:
		whole.fail("method", "is unknown")
		return nil
	}
}

func pointerOr(p *int, fallback int) int {
	if p == nil {
		return fallback
	}
	return *p
}
