package host_test

import (
	"context"
	"maps"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

// Addresses in the memory of a fake guest.
const (
	inputAddress = 1 << 10
	replyAddress = 32 << 10
	fakePages    = 3
)

type (
	fakeRun   = func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error
	fakeFuncs = map[string]enginetest.Func
)

// A fakeGuest is a well-behaved guest on the fake engine, whose exports a test
// replaces by hostile ones.
func fakeGuest(replace fakeFuncs) enginetest.Program {
	const i32, i64 = engine.I32, engine.I64
	functions := fakeFuncs{
		abi.ExportVersion: {Type: engine.Func(nil, i32), Run: answer(abi.VersionMinor)},
		abi.ExportBuffer:  {Type: engine.Func([]engine.ValueType{i32}, i32), Run: answer(inputAddress)},
		abi.ExportDescribe: {Type: engine.Func(nil, i64), Run: replyWith(abi.Reply{Description: &abi.Description{
			Name: "fake", Handlers: []abi.Handler{
				{ID: 1, Name: "m", Kind: abi.HandlerMatch}, {ID: 2, Name: "r", Kind: abi.HandlerRespond},
				{ID: 3, Name: "reads", Kind: abi.HandlerRespond, Methods: []abi.Method{abi.Read}},
				{ID: 4, Name: "reads", Kind: abi.HandlerMatch, Methods: []abi.Method{abi.Read}},
			},
		}})},
		abi.ExportOpen:    {Type: engine.Func([]engine.ValueType{i32}, i64), Run: replyWith(abi.Reply{Done: true})},
		abi.ExportMatch:   {Type: engine.Func([]engine.ValueType{i32, i32}, i64), Run: replyWith(abi.Reply{Verdict: &abi.Verdict{}})},
		abi.ExportRespond: {Type: engine.Func([]engine.ValueType{i32, i32}, i64), Run: replyWith(execReply("fine"))},
		abi.ExportClose:   {Type: engine.Func(nil, i64), Run: replyWith(abi.Reply{Done: true})},
	}
	for name, f := range replace {
		if f.Type.Params == nil && f.Type.Results == nil {
			f.Type = functions[name].Type
		}
		functions[name] = f
	}
	maps.DeleteFunc(functions, func(_ string, f enginetest.Func) bool { return f.Run == nil })
	return enginetest.Program{Functions: functions, Pages: fakePages}
}

func execReply(stdout string) abi.Reply {
	return abi.Reply{Outcome: &abi.Outcome{Exec: &abi.ExecResult{Stdout: abi.Content{Inline: []byte(stdout)}}}}
}

// answer gives a number, whatever it is asked.
func answer(n uint64) fakeRun {
	return func(_ context.Context, _ *enginetest.FakeInstance, stack []uint64) error {
		stack[0] = n
		return nil
	}
}

// replyWith gives a reply, whatever it is asked.
func replyWith(reply abi.Reply) fakeRun { return replyBytes(reply.Append(nil)) }

func replyBytes(data []byte) fakeRun {
	return func(_ context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		copy(in.Bytes()[replyAddress:], data)
		stack[0] = replyAddress<<32 | uint64(len(data))
		return nil
	}
}

// imports calls one of the ABI's imports.
func imports(ctx context.Context, in *enginetest.FakeInstance, name string, args ...uint64) int64 {
	stack := make([]uint64, max(len(args), 1))
	copy(stack, args)
	if err := in.Import(ctx, abi.ImportModule, name, stack); err != nil {
		panic(err)
	}
	if name == abi.ImportBlobLen || name == abi.ImportExtension {
		return int64(stack[0])
	}
	return int64(int32(stack[0]))
}

// loadFake loads a fake guest under the name fake.
func loadFake(t *testing.T, program enginetest.Program, opts ...host.ModuleOption) (*host.Module, error) {
	t.Helper()
	runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return enginetest.NewFake(map[string]enginetest.Program{"fake.wasm": program}, imports...), nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = runtime.Close(context.Background()) })
	return runtime.Load(t.Context(), "fake", []byte("fake.wasm"), opts...)
}

// fakeHandlers loads a fake guest, and gives its matcher m and responder r.
func fakeHandlers(t *testing.T, replace fakeFuncs, opts ...host.ModuleOption) (host.Matcher, host.Responder) {
	t.Helper()
	module, err := loadFake(t, fakeGuest(replace), opts...)
	if err != nil {
		t.Fatal(err)
	}
	m, err := module.Matcher("m")
	if err != nil {
		t.Fatal(err)
	}
	r, err := module.Responder("r")
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}
