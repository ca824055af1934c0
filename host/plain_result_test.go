package host_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// Results as plain values, and back.
func TestPlainResults(t *testing.T) {
	tests := []struct {
		name   string
		method host.Method
		plain  any
		result any
	}{
		{"exec", host.MethodExec, plainMap{"stdout": "o", "stderr": plainMap{"base64": "/w=="}, "exit_code": int64(-1)},
			host.ExecResult{Stdout: []byte("o"), Stderr: []byte{0xff}, ExitCode: -1}},
		{"a terminal that lives", host.MethodPTYExecStart,
			plainMap{"process_id": int64(7), "output": "o", "exit_code": nil, "original_token_count": nil},
			host.PTYUpdate{ProcessID: new(7), Output: []byte("o")}},
		{"a terminal that has ended", host.MethodPTYWriteStdin,
			plainMap{"process_id": nil, "output": "", "exit_code": int64(0), "original_token_count": int64(9)},
			host.PTYUpdate{Output: []byte{}, ExitCode: new(0), OriginalTokenCount: new(9)}},
		{"read", host.MethodRead, "text", host.TextStream("text")},
		{"read from a position", host.MethodRead, plainMap{"text": "text", "position": int64(2)}, host.TextStream("text").At(2)},
		{"read of bytes", host.MethodRead, plainMap{"base64": "/w=="}, host.ByteStream([]byte{0xff})},
		{"apply_patch", host.MethodApplyPatch, "Done!", "Done!"},
		{"ls of nothing", host.MethodLs, []any{}, []host.FileEntry{}},
		{"ls", host.MethodLs, []any{
			plainMap{"path": "d", "permissions": "drwxr-x---", "owner": "o", "group": "g", "size": int64(4096), "kind": "directory"},
			plainMap{"path": "l", "permissions": "-rwxrwxrwx", "owner": "o", "group": "g", "size": int64(0), "kind": "symlink"},
		}, []host.FileEntry{
			{Path: "d", Permissions: abi.DirectoryBit | 0o750, Owner: "o", Group: "g", Size: 4096, Kind: host.FileKindDirectory},
			{Path: "l", Permissions: 0o777, Owner: "o", Group: "g", Kind: host.FileKindSymlink},
		}},
		{"write", host.MethodWrite, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result, err := host.ParseResult(test.method, test.plain)
			if err != nil {
				t.Fatal(err)
			}
			if s, ok := test.result.(host.Stream); ok && !s.Equal(result.(host.Stream)) || !ok && !reflect.DeepEqual(result, test.result) {
				t.Errorf("parsed %#v, want %#v", result, test.result)
			}
			if plain := host.PlainResult(result); !reflect.DeepEqual(plain, test.plain) {
				t.Errorf("shown %#v, want %#v", plain, test.plain)
			}
			if _, err := host.NewScripted([]host.Step{{Method: test.method, Outcome: host.Return(result)}}); err != nil {
				t.Errorf("no step takes it: %v", err)
			}
		})
	}
}

// S7.1, S7.2, S7.3, S7.7: what a result doesn't say has a default.
func TestDefaultsOfPlainResults(t *testing.T) {
	for name, test := range map[string]struct {
		method host.Method
		plain  any
		want   any
	}{
		"exec":        {host.MethodExec, plainMap{}, host.ExecResult{}},
		"text":        {host.MethodExec, plainMap{"stdout": plainMap{"text": "hi"}}, host.ExecResult{Stdout: []byte("hi")}},
		"a terminal":  {host.MethodPTYExecStart, plainMap{}, host.PTYUpdate{}},
		"a file":      {host.MethodLs, []any{plainMap{"path": "f"}}, []host.FileEntry{{Path: "f", Owner: "root", Group: "root", Permissions: 0o700}}},
		"one entry":   {host.MethodLs, plainMap{"path": "f", "size": 3.0}, []host.FileEntry{{Path: "f", Owner: "root", Group: "root", Permissions: 0o700, Size: 3}}},
		"a directory": {host.MethodLs, []any{plainMap{"path": "d", "kind": "directory"}}, []host.FileEntry{{Path: "d", Owner: "root", Group: "root", Permissions: abi.DirectoryBit | 0o700, Kind: host.FileKindDirectory}}},
	} {
		got, err := host.ParseResult(test.method, test.plain)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %#v, %v", name, got, err)
		}
	}
	if r, _ := host.ParseResult(host.MethodExec, plainMap{}); !r.(host.ExecResult).OK() || (host.ExecResult{ExitCode: 1}).OK() {
		t.Error("exit codes other than zero, and only those, mean failure")
	}
}

func TestParseResultRefuses(t *testing.T) {
	tests := []struct {
		name   string
		method host.Method
		plain  any
		field  string
	}{
		{"an unknown method", 0, nil, "method"},
		{"text for exec", host.MethodExec, "secret", ""},
		{"nil for exec", host.MethodExec, nil, ""},
		{"another key", host.MethodExec, plainMap{"secret": 1}, "secret"},
		{"an exit code of 33 bits", host.MethodExec, plainMap{"exit_code": int64(1 << 32)}, "exit_code"},
		{"an exit code that is a fraction", host.MethodExec, plainMap{"exit_code": 1.5}, "exit_code"},
		{"output that is a number", host.MethodExec, plainMap{"stdout": 7}, "stdout"},
		{"output in bad base64", host.MethodExec, plainMap{"stdout": plainMap{"base64": "secret!"}}, "stdout.base64"},
		{"a negative process", host.MethodPTYExecStart, plainMap{"process_id": -1}, "process_id"},
		{"a number for read", host.MethodRead, 7, ""},
		{"neither text nor base64", host.MethodRead, plainMap{"position": 1}, ""},
		{"nil for apply_patch", host.MethodApplyPatch, nil, ""},
		{"text for ls", host.MethodLs, "secret", ""},
		{"an entry without a path", host.MethodLs, []any{plainMap{"path": "a"}, plainMap{}}, "[1].path"},
		{"odd permissions", host.MethodLs, []any{plainMap{"path": "a", "permissions": "secret"}}, "[0].permissions"},
		{"an odd kind", host.MethodLs, []any{plainMap{"path": "a", "kind": "secret"}}, "[0].kind"},
		{"a negative size", host.MethodLs, []any{plainMap{"path": "a", "size": -1}}, "[0].size"},
		{"something for a void method", host.MethodRm, "secret", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			result, err := host.ParseResult(test.method, test.plain)
			e := errorAs[*host.FieldError](t, err)
			if result != nil || e.Field != test.field || strings.Contains(e.Problem, "secret") || e.Problem == "" {
				t.Errorf("result %v, error %q at %q, want %q", result, e, e.Field, test.field)
			}
		})
	}
}
