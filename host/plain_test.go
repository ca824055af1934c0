package host_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

type plainMap = map[string]any

// plainCalls is the table of section 2.4: what each method records, with its
// defaults and with everything given.
var plainCalls = []struct {
	name   string
	call   host.Request
	args   []any
	kwargs plainMap
}{
	{"exec", &host.ExecRequest{Command: []string{"git", "status"}}, []any{"git", "status"},
		plainMap{"timeout": nil, "shell": true, "user": nil}},
	{"exec with all", &host.ExecRequest{Command: []string{"a"}, Timeout: 1500 * time.Millisecond, Shell: host.ShellCommand("bash", "-c"), User: "me"},
		[]any{"a"}, plainMap{"timeout": 1.5, "shell": []any{"bash", "-c"}, "user": "me"}},
	{"exec without a command, shell or wrapper", &host.ExecRequest{Shell: host.ShellCommand()}, []any{},
		plainMap{"timeout": nil, "shell": []any{}, "user": nil}},
	{"read", &host.ReadRequest{Path: "a"}, []any{"a"}, plainMap{"user": nil}},
	{"read with all", &host.ReadRequest{Path: "a", User: "me"}, []any{"a"}, plainMap{"user": "me"}},
	{"write", &host.WriteRequest{Path: "a"}, []any{"a", ""}, plainMap{"user": nil}},
	{"write with all", &host.WriteRequest{Path: "a", Data: host.TextStream("text").At(3).Reader(), User: "me"},
		[]any{"a", plainMap{"text": "text", "position": int64(3)}}, plainMap{"user": "me"}},
	{"write of bytes that aren't text", &host.WriteRequest{Path: "a", Data: host.ByteStream([]byte{0xff}).Reader()},
		[]any{"a", plainMap{"base64": "/w=="}}, plainMap{"user": nil}},
	{"write of bytes from a position", &host.WriteRequest{Path: "a", Data: host.ByteStream([]byte{0xff, 0}).At(1).Reader()},
		[]any{"a", plainMap{"base64": "/wA=", "position": int64(1)}}, plainMap{"user": nil}},
	{"ls", &host.LsRequest{Path: "a"}, []any{"a"}, plainMap{"user": nil}},
	{"ls with all", &host.LsRequest{Path: "a", User: "me"}, []any{"a"}, plainMap{"user": "me"}},
	{"rm", &host.RmRequest{Path: "a"}, []any{"a"}, plainMap{"recursive": false, "user": nil}},
	{"rm with all", &host.RmRequest{Path: "a", Recursive: true, User: "me"}, []any{"a"}, plainMap{"recursive": true, "user": "me"}},
	{"mkdir", &host.MkdirRequest{Path: "a"}, []any{"a"}, plainMap{"parents": false, "user": nil}},
	{"mkdir with all", &host.MkdirRequest{Path: "a", Parents: true, User: "me"}, []any{"a"}, plainMap{"parents": true, "user": "me"}},
	{"apply_patch", &host.ApplyPatchRequest{}, []any{[]any{}}, plainMap{"patch_format": "v4a"}},
	{"apply_patch with all", &host.ApplyPatchRequest{Operations: []host.PatchOperation{
		{Type: "delete_file", Path: "a"}, {Type: "update_file", Path: "b", Diff: new(""), MoveTo: new("c")},
	}, PatchFormat: "other"}, []any{[]any{
		plainMap{"type": "delete_file", "path": "a"},
		plainMap{"type": "update_file", "path": "b", "diff": "", "move_to": "c"},
	}}, plainMap{"patch_format": "other"}},
	{"pty_exec_start", &host.PTYExecStartRequest{Command: []string{"a"}}, []any{"a"}, plainMap{
		"timeout": nil, "shell": true, "user": nil, "tty": false, "yield_time_s": nil, "max_output_tokens": nil}},
	{"pty_exec_start with all", &host.PTYExecStartRequest{Command: []string{"a"}, Timeout: time.Second, Shell: host.NoShell(), User: "me",
		TTY: true, YieldTime: time.Millisecond, MaxOutputTokens: 5}, []any{"a"}, plainMap{
		"timeout": 1.0, "shell": false, "user": "me", "tty": true, "yield_time_s": 0.001, "max_output_tokens": int64(5)}},
	{"pty_write_stdin", &host.PTYWriteStdinRequest{}, []any{}, plainMap{
		"session_id": int64(0), "chars": "", "yield_time_s": nil, "max_output_tokens": nil}},
	{"pty_write_stdin with all", &host.PTYWriteStdinRequest{SessionID: 7, Chars: "q\n", YieldTime: time.Minute, MaxOutputTokens: 1}, []any{}, plainMap{
		"session_id": int64(7), "chars": "q\n", "yield_time_s": 60.0, "max_output_tokens": int64(1)}},
}

// S2.4, S2.10: what is recorded, in the shape of the original; and back.
func TestPlainCalls(t *testing.T) {
	for _, test := range plainCalls {
		t.Run(test.name, func(t *testing.T) {
			c := call(t, 0, test.call)
			if got := c.Args(); !reflect.DeepEqual(got, test.args) {
				t.Errorf("args %#v, want %#v", got, test.args)
			}
			if got := c.Kwargs(); !reflect.DeepEqual(got, test.kwargs) {
				t.Errorf("kwargs %#v, want %#v", got, test.kwargs)
			}
			if names := host.KwargNames(c.Method()); len(names) != len(test.kwargs) {
				t.Errorf("the named arguments are %v", names)
			}
			r, err := host.NewRequest(c.Method(), test.args, test.kwargs)
			if err != nil {
				t.Fatal(err)
			}
			again := call(t, 0, r)
			if c.Method() != host.MethodWrite && !again.Equal(c) || !reflect.DeepEqual(again.Args(), test.args) {
				t.Errorf("back: %#v", r)
			}
		})
	}
	if got := (host.Call{}); len(got.Args())+len(got.Kwargs()) != 0 || got.Args() == nil || got.Kwargs() == nil {
		t.Errorf("the zero call has arguments")
	}
}

// S2.14: the named arguments may be missing; others, and wrong ones, are refused
// with the place where they are.
func TestNewRequestRefuses(t *testing.T) {
	tests := []struct {
		name   string
		method host.Method
		args   []any
		kwargs plainMap
		field  string
	}{
		{"an unknown method", 0, nil, nil, "method"},
		{"a missing path", host.MethodRead, nil, nil, "args[0]"},
		{"a path that isn't text", host.MethodRead, []any{7}, nil, "args[0]"},
		{"too many arguments", host.MethodRead, []any{"a", "secret"}, nil, "args"},
		{"a positional argument where there is none", host.MethodPTYWriteStdin, []any{"a"}, plainMap{"session_id": 1, "chars": ""}, "args"},
		{"an unknown name", host.MethodRead, []any{"a"}, plainMap{"secret": 1}, "kwargs.secret"},
		{"a name of another method", host.MethodRead, []any{"a"}, plainMap{"recursive": true}, "kwargs.recursive"},
		{"a command part that isn't text", host.MethodExec, []any{"a", nil}, nil, "args[1]"},
		{"a user that isn't text", host.MethodExec, nil, plainMap{"user": 7}, "kwargs.user"},
		{"a timeout of zero", host.MethodExec, nil, plainMap{"timeout": 0}, "kwargs.timeout"},
		{"a negative timeout", host.MethodExec, nil, plainMap{"timeout": -1.5}, "kwargs.timeout"},
		{"an endless timeout", host.MethodExec, nil, plainMap{"timeout": 1e300}, "kwargs.timeout"},
		{"a timeout in words", host.MethodExec, nil, plainMap{"timeout": "secret"}, "kwargs.timeout"},
		{"a shell in words", host.MethodExec, nil, plainMap{"shell": "secret"}, "kwargs.shell"},
		{"a shell of numbers", host.MethodExec, nil, plainMap{"shell": []any{"sh", 7}}, "kwargs.shell[1]"},
		{"parents in words", host.MethodMkdir, []any{"a"}, plainMap{"parents": "secret"}, "kwargs.parents"},
		{"no data", host.MethodWrite, []any{"a"}, nil, "args[1]"},
		{"data that is a number", host.MethodWrite, []any{"a", 7}, nil, "args[1]"},
		{"data twice", host.MethodWrite, []any{"a", plainMap{"text": "", "base64": ""}}, nil, "args[1]"},
		{"data in bad base64", host.MethodWrite, []any{"a", plainMap{"base64": "secret!"}}, nil, "args[1].base64"},
		{"a negative position", host.MethodWrite, []any{"a", plainMap{"text": "", "position": -1}}, nil, "args[1].position"},
		{"data with another key", host.MethodWrite, []any{"a", plainMap{"text": "", "secret": 1}}, nil, "args[1].secret"},
		{"operations that are text", host.MethodApplyPatch, []any{"secret"}, nil, "args[0]"},
		{"an operation that is text", host.MethodApplyPatch, []any{[]any{"secret"}}, nil, "args[0][0]"},
		{"an operation without a path", host.MethodApplyPatch, []any{[]any{plainMap{"type": "x"}}}, nil, "args[0][0].path"},
		{"no session", host.MethodPTYWriteStdin, nil, plainMap{"chars": ""}, "kwargs.session_id"},
		{"a fraction of a session", host.MethodPTYWriteStdin, nil, plainMap{"chars": "", "session_id": 1.5}, "kwargs.session_id"},
		{"no tokens", host.MethodPTYWriteStdin, nil, plainMap{"chars": "", "session_id": 1, "max_output_tokens": 0}, "kwargs.max_output_tokens"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := host.NewRequest(test.method, test.args, test.kwargs)
			e := errorAs[*host.FieldError](t, err)
			if r != nil || e.Field != test.field || !strings.HasPrefix(e.Error(), test.field+" ") {
				t.Errorf("request %v, error %q at %q, want %q", r, e, e.Field, test.field)
			}
			if strings.Contains(e.Problem, "secret") {
				t.Errorf("the problem shows the value: %q", e.Problem)
			}
		})
	}
}

// S10.10: what the original tells apart by type is one thing here.
func TestNewRequestTakesOtherForms(t *testing.T) {
	tests := []struct {
		name   string
		method host.Method
		args   []any
		kwargs plainMap
		want   host.Request
	}{
		{"one operation is a list of one", host.MethodApplyPatch, []any{plainMap{"type": "delete_file", "path": "a"}}, nil,
			&host.ApplyPatchRequest{Operations: []host.PatchOperation{{Type: "delete_file", Path: "a"}}}},
		{"nil is a default", host.MethodExec, []any{"a"}, plainMap{"timeout": nil, "shell": nil, "user": nil},
			&host.ExecRequest{Command: []string{"a"}}},
		{"whole numbers of any type", host.MethodExec, []any{"a"}, plainMap{"timeout": int64(2)},
			&host.ExecRequest{Command: []string{"a"}, Timeout: 2 * time.Second}},
		{"numbers as JSON has them", host.MethodPTYWriteStdin, nil, plainMap{"session_id": 7.0, "chars": "", "max_output_tokens": 9.0},
			&host.PTYWriteStdinRequest{SessionID: 7, MaxOutputTokens: 9}},
		{"a shell that is true", host.MethodExec, nil, plainMap{"shell": true}, &host.ExecRequest{}},
		{"a position in data", host.MethodWrite, []any{"a", plainMap{"base64": "/w==", "position": 1.0}}, nil,
			&host.WriteRequest{Path: "a", Data: host.ByteStream([]byte{0xff}).At(1).Reader()}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r, err := host.NewRequest(test.method, test.args, test.kwargs)
			if err != nil {
				t.Fatal(err)
			}
			if !call(t, 0, r).Equal(call(t, 0, test.want)) {
				t.Errorf("%#v", r)
			}
		})
	}
}
