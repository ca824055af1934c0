package host_test

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

// printing is a program on the fake engine that prints what output points to.
func printing(output *[]byte) enginetest.Program {
	const i32 = engine.I32
	write := engine.Import{
		Module: "wasi_snapshot_preview1", Name: "fd_write", Type: engine.Func([]engine.ValueType{i32, i32, i32, i32}, i32),
	}
	return enginetest.Program{Pages: 2, Imports: []engine.Import{write}, Functions: fakeFuncs{"_start": {
		Type: engine.Func(nil),
		Run: func(ctx context.Context, in *enginetest.FakeInstance, _ []uint64) error {
			const text = 1024
			n := copy(in.Bytes()[text:], *output)
			binary.LittleEndian.PutUint32(in.Bytes(), text)
			binary.LittleEndian.PutUint32(in.Bytes()[4:], uint32(n))
			return in.Import(ctx, write.Module, write.Name, []uint64{1, 0, 1, 8})
		},
	}}}
}

// FuzzCommandOutput prints anything: the call ends with a result, a sandbox error
// or a guest error that says that the reply is bad.
func FuzzCommandOutput(f *testing.F) {
	for _, seed := range []string{
		`{"result": {"stdout": "a", "stderr": {"base64": "/w=="}, "exit_code": -1}}`, `{"result": null}`, `{"failed": "x"}`,
		`{"result": [{"path": "a", "permissions": "-rw-r--r--", "size": 3, "kind": "file"}]}`, `{"result": {"path": "a"}}`,
		`{"result": {"text": "a", "position": 3}}`, `{"result": {"process_id": 1, "output": "x", "exit_code": 0}}`,
		`{"error": {"code": "exec_timeout", "op": "exec", "context": {"a": [{"base64": ""}]}, "retryable": false}}`,
		`{"verdict": {"answer": "reject", "reason": "r", "differences": [{"field": "a"}]}}`, `[[[`, "\xff", `{"a":1e999}`, `{"":{}}`,
	} {
		f.Add([]byte(seed))
	}
	var output []byte
	r, err := host.NewRuntime(f.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return enginetest.NewFake(map[string]enginetest.Program{"fake.wasm": printing(&output)}, imports...), nil
		}))
	if err != nil {
		f.Fatal(err)
	}
	defer r.Close(context.Background())
	command, err := r.LoadCommand(f.Context(), "fake", []byte("fake.wasm"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, printed []byte) {
		output = printed
		for _, request := range requests("x") {
			s := newSession(t, []host.Step{{
				Method: request.Method(), Match: command.Matcher(""), Outcome: host.Return(answers[request.Method()]),
			}, {
				Method: request.Method(), Outcome: host.Respond(command.Responder("")),
			}})
			_, err := s.Do(t.Context(), request)
			if err != nil {
				s = newSession(t, []host.Step{{Method: request.Method(), Outcome: host.Respond(command.Responder(""))}})
				_, err = s.Do(t.Context(), request)
			}
			if err == nil || errors.Is(err, host.GuestBadReply) || errors.Is(err, host.GuestFailed) {
				continue
			}
			if _, ok := errors.AsType[*host.SandboxError](err); !ok {
				t.Errorf("%s: error %v (%T)", request.Method(), err, err)
			}
		}
	})
}
