package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// Each benchmark of a session makes a new one before its script grows large, so
// that the time is a call's and not the allocator's.
const stepsPerSession = 1000

func benchmarkSession(b *testing.B, outcome host.Outcome, call func(*host.Scripted)) {
	b.Helper()
	steps := make([]host.Step, stepsPerSession)
	for i := range steps {
		steps[i] = host.Step{Method: host.MethodExec, Outcome: outcome}
	}
	b.ReportAllocs()
	for n := 0; n < b.N; n += stepsPerSession {
		b.StopTimer()
		s, err := host.NewScripted(steps)
		if err != nil {
			b.Fatal(err)
		}
		call(s) // the first call makes the guest
		b.StartTimer()
		for range min(stepsPerSession-1, b.N-n) {
			call(s)
		}
		b.StopTimer()
		if err := s.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func pwd(b *testing.B) func(*host.Scripted) {
	request := host.ExecRequest{Command: []string{"pwd"}}
	return func(s *host.Scripted) {
		if _, err := s.Exec(context.Background(), request); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkScriptedResult is a call answered by a fixed result, and by a
// responder in Go; "by hand" is the baseline, the fake that one would write for a
// test: it copies the command and gives the next result, under a lock.
func BenchmarkScriptedResult(b *testing.B) {
	b.Run("result", func(b *testing.B) {
		benchmarkSession(b, host.Return(host.ExecResult{Stdout: []byte("/workspace\n")}), pwd(b))
	})
	b.Run("func", func(b *testing.B) {
		benchmarkSession(b, host.Respond(host.ResponderFunc(func(context.Context, host.Call) (any, error) {
			return host.ExecResult{}, nil
		})), pwd(b))
	})
	b.Run("by hand", func(b *testing.B) {
		b.ReportAllocs()
		results := make([]host.ExecResult, stepsPerSession)
		request := host.ExecRequest{Command: []string{"pwd"}}
		for n := 0; n < b.N; n += stepsPerSession {
			f := &fakeByHand{results: results}
			for range min(stepsPerSession, b.N-n) {
				if _, err := f.Exec(context.Background(), request); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

type fakeByHand struct {
	mu      sync.Mutex
	calls   []host.ExecRequest
	results []host.ExecResult
}

func (f *fakeByHand) Exec(_ context.Context, request host.ExecRequest) (host.ExecResult, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	request.Command = slices.Clone(request.Command)
	f.calls = append(f.calls, request)
	if len(f.results) == 0 {
		return host.ExecResult{}, errors.New("no results left")
	}
	result := f.results[0]
	f.results = f.results[1:]
	return result, nil
}

// BenchmarkGuestRespond is a call answered by a guest in Go: snapshot, history,
// queue, encoding and decoding included. BenchmarkBareGuestCall is its baseline.
func BenchmarkGuestRespond(b *testing.B) {
	benchmarkSession(b, echoResponder(b, "echo"), pwd(b))
}

// BenchmarkBareGuestCall sends the same bytes to the same export of the same
// guest through the engine alone.
func BenchmarkBareGuestCall(b *testing.B) {
	wasm, err := echoWasm()
	if err != nil {
		b.Fatal(err)
	}
	id := handlerID(b, loadEcho(b).Description(), "echo")
	newBareGuest(b, host.DefaultEngine, wasm).respond(b, id, &abi.ExecRequest{Command: []string{"pwd"}})
}

// BenchmarkLongScript shows that a call costs the same in a script of a thousand
// and of a million steps.
func BenchmarkLongScript(b *testing.B) {
	for _, size := range []int{1_000, 1_000_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			steps := make([]host.Step, size)
			for i := range steps {
				steps[i] = host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})}
			}
			call := pwd(b)
			for n := 0; n < b.N; n += size {
				b.StopTimer()
				s, err := host.NewScripted(steps)
				if err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
				for range min(size, b.N-n) {
					call(s)
				}
			}
		})
	}
}

// BenchmarkLargeWrite sends 64 MiB through a guest that reads all of it. The
// metric extra-x is the memory allocated per write, in sizes of the write;
// "copy" is the baseline, one copy of the same size.
func BenchmarkLargeWrite(b *testing.B) {
	const size = 64 << 20
	data := bytes.Repeat([]byte("wasmsandbox 64M\n"), size/16)
	measure := func(b *testing.B, write func()) {
		b.SetBytes(size)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for b.Loop() {
			write()
		}
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(b.N)/size, "extra-x")
	}
	b.Run("session", func(b *testing.B) {
		step := host.Step{Method: host.MethodWrite, Outcome: echoResponder(b, "discard")}
		measure(b, func() {
			s, err := host.NewScripted([]host.Step{step})
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Write(context.Background(), host.WriteRequest{Path: "big", Data: bytes.NewReader(data)}); err != nil {
				b.Fatal(err)
			}
			if err := s.Close(context.Background()); err != nil {
				b.Fatal(err)
			}
		})
	})
	b.Run("copy", func(b *testing.B) {
		measure(b, func() { sink = bytes.Clone(data) })
	})
}

var sink []byte

// BenchmarkSessionStart makes a session, makes its guest with a first call, and
// closes it; "no guest" is the baseline.
func BenchmarkSessionStart(b *testing.B) {
	run := func(outcome host.Outcome) func(*testing.B) {
		return func(b *testing.B) {
			call := pwd(b)
			b.ReportAllocs()
			for b.Loop() {
				s, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: outcome}})
				if err != nil {
					b.Fatal(err)
				}
				call(s)
				if err := s.Close(context.Background()); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("go guest", run(echoResponder(b, "echo")))
	b.Run("no guest", run(host.Return(host.ExecResult{})))
}

type makeEngine = func(context.Context, []engine.HostFunc) (engine.Engine, error)

// A bareGuest is a guest on the engine, without a host around it.
type bareGuest struct {
	tb       testing.TB
	instance engine.Instance
}

func newBareGuest(b *testing.B, newEngine makeEngine, wasm []byte) *bareGuest {
	b.Helper()
	ctx := context.Background()
	e, err := newEngine(ctx, bareImports())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close(ctx) })
	module, err := e.Compile(ctx, wasm)
	if err != nil {
		b.Fatal(err)
	}
	instance, err := module.Instantiate(ctx, wasi.NewEnv(wasi.Config{}))
	if err != nil {
		b.Fatal(err)
	}
	g := &bareGuest{b, instance}
	if initialize, ok := instance.Function(abi.ExportInitialize); ok {
		g.call(initialize, nil)
	}
	return g
}

// respond measures a call of a responder.
func (g *bareGuest) respond(b *testing.B, id uint64, request abi.Request) {
	call := g.responding(id, request)
	b.ReportAllocs()
	for b.Loop() {
		call()
	}
}

// responding opens the guest, and gives what calls a responder.
func (g *bareGuest) responding(id uint64, request abi.Request) (call func()) {
	message := (&abi.Call{Index: 500, TimeNS: host.DefaultStartTime.UnixNano(), Request: request}).Append(nil)
	respond := g.function(abi.ExportRespond)
	stack := []uint64{uint64(len(message)), 0}
	g.call(g.function(abi.ExportBuffer), stack)
	address := uint32(stack[0])
	stack[0] = 0
	g.call(g.function(abi.ExportOpen), stack)
	return func() {
		view, _ := g.instance.Memory().View(address, uint32(len(message)))
		copy(view, message)
		stack[0], stack[1] = id, uint64(len(message))
		g.call(respond, stack)
	}
}

// bareImports are WASI, and imports of the ABI that do nothing.
func bareImports() []engine.HostFunc {
	imports := wasi.Imports(func(i engine.Instance) *wasi.Env { return i.Data().(*wasi.Env) })
	for _, f := range []struct {
		name string
		t    engine.FuncType
	}{
		{abi.ImportLog, engine.Func([]engine.ValueType{engine.I32, engine.I32, engine.I32}, engine.I32)},
		{abi.ImportFail, engine.Func([]engine.ValueType{engine.I32, engine.I32}, engine.I32)},
		{abi.ImportBlobLen, engine.Func([]engine.ValueType{engine.I32}, engine.I64)},
		{abi.ImportBlobRead, engine.Func([]engine.ValueType{engine.I32, engine.I64, engine.I32, engine.I32}, engine.I32)},
		{abi.ImportBlobNew, engine.Func(nil, engine.I32)},
		{abi.ImportBlobWrite, engine.Func([]engine.ValueType{engine.I32, engine.I32, engine.I32}, engine.I32)},
		{abi.ImportExtension, engine.Func([]engine.ValueType{engine.I32, engine.I32, engine.I32}, engine.I64)},
	} {
		imports = append(imports, engine.HostFunc{
			Module: abi.ImportModule, Name: f.name, Type: f.t,
			Call: func(context.Context, engine.Instance, []uint64) error { return nil },
		})
	}
	return imports
}

func (g *bareGuest) function(name string) engine.Function {
	f, ok := g.instance.Function(name)
	if !ok {
		g.tb.Fatalf("no export %s", name)
	}
	return f
}

func (g *bareGuest) call(f engine.Function, stack []uint64) {
	if err := f.Call(context.Background(), stack); err != nil {
		g.tb.Fatal(err)
	}
}

func handlerID(b *testing.B, d host.Description, name string) uint64 {
	b.Helper()
	for _, h := range d.Handlers {
		if h.Name == name && h.Kind == abi.HandlerRespond {
			return uint64(h.ID)
		}
	}
	b.Fatalf("no responder %s", name)
	return 0
}
