package guest_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/wasmsandbox/wasmsandbox/abi"
)

// instance is a guest of testdata, compiled and instantiated on an engine as it
// is: these tests are about the SDK, and want nothing between.
type instance struct {
	t      testing.TB
	module api.Module
	blobs  [][]byte
	logs   []string
	failed *abi.Panic
	stderr bytes.Buffer
}

var built sync.Map // from the name of a guest to a func() ([]byte, error)

// build compiles a guest of testdata, once for each name.
func build(t testing.TB, name string) []byte {
	t.Helper()
	once, _ := built.LoadOrStore(name, sync.OnceValues(func() ([]byte, error) {
		dir, err := os.MkdirTemp("", "guest")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		file := filepath.Join(dir, "guest.wasm")
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-buildmode=c-shared", "-o", file, "./testdata/"+name)
		cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
		return os.ReadFile(file)
	}))
	wasm, err := once.(func() ([]byte, error))()
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

var cache = sync.OnceValue(wazero.NewCompilationCache)

// instantiate makes an instance, and initialises it.
func instantiate(t testing.TB, name string) *instance {
	t.Helper()
	ctx := context.Background()
	runtime := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfig().WithCompilationCache(cache()))
	t.Cleanup(func() { runtime.Close(ctx) })
	wasi_snapshot_preview1.MustInstantiate(ctx, runtime)
	in := &instance{t: t}
	in.offer(ctx, runtime)
	config := wazero.NewModuleConfig().WithStderr(&in.stderr).WithStartFunctions("_initialize")
	module, err := runtime.InstantiateWithConfig(ctx, build(t, name), config)
	if err != nil {
		t.Fatal(err)
	}
	in.module = module
	return in
}

// offer defines the imports of the ABI that the SDK uses.
func (in *instance) offer(ctx context.Context, runtime wazero.Runtime) {
	b := runtime.NewHostModuleBuilder(abi.ImportModule)
	b.NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module, level int32, p, n uint32) int32 {
		in.logs = append(in.logs, abi.LogLevel(level).String()+": "+string(view(m, p, n)))
		return 0
	}).Export(abi.ImportLog)
	b.NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module, p, n uint32) int32 {
		in.failed = new(abi.Panic)
		if err := in.failed.Unmarshal(view(m, p, n)); err != nil {
			return int32(abi.StatusBadMessage)
		}
		return 0
	}).Export(abi.ImportFail)
	b.NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module, handle int32, offset int64, p, n uint32) int32 {
		return int32(copy(view(m, p, n), in.blobs[handle][offset:]))
	}).Export(abi.ImportBlobRead)
	b.NewFunctionBuilder().WithFunc(func() int32 {
		in.blobs = append(in.blobs, nil)
		return int32(len(in.blobs) - 1)
	}).Export(abi.ImportBlobNew)
	b.NewFunctionBuilder().WithFunc(func(_ context.Context, m api.Module, handle int32, p, n uint32) int32 {
		in.blobs[handle] = append(in.blobs[handle], view(m, p, n)...)
		return int32(n)
	}).Export(abi.ImportBlobWrite)
	if _, err := b.Instantiate(ctx); err != nil {
		in.t.Fatal(err)
	}
}

func view(m api.Module, p, n uint32) []byte {
	data, ok := m.Memory().Read(p, n)
	if !ok {
		panic("a pointer outside of the memory")
	}
	return data
}

// send writes a message into the guest's input buffer.
func (in *instance) send(data []byte) {
	in.t.Helper()
	res, err := in.module.ExportedFunction(abi.ExportBuffer).Call(in.t.Context(), uint64(len(data)))
	if err != nil || res[0] == 0 {
		in.t.Fatalf("no buffer of %d bytes: %v", len(data), err)
	}
	copy(view(in.module, uint32(res[0]), uint32(len(data))), data)
}

// call calls an export that returns a reply.
func (in *instance) call(export string, args ...uint64) (*abi.Reply, error) {
	in.t.Helper()
	res, err := in.module.ExportedFunction(export).Call(in.t.Context(), args...)
	if err != nil {
		return nil, err
	}
	reply := new(abi.Reply)
	data := bytes.Clone(view(in.module, uint32(res[0]>>32), uint32(res[0])))
	if err := reply.Unmarshal(data); err != nil {
		in.t.Fatalf("%s: the reply: %v", export, err)
	}
	return reply, nil
}

func (in *instance) open(open abi.Open) *abi.Reply {
	in.t.Helper()
	data := open.Append(nil)
	in.send(data)
	reply, err := in.call(abi.ExportOpen, uint64(len(data)))
	if err != nil {
		in.t.Fatal(err)
	}
	return reply
}

// ask has a handler answer a call.
func (in *instance) ask(kind abi.HandlerKind, name string, req abi.Request) (*abi.Reply, error) {
	in.t.Helper()
	call := abi.Call{Index: 1, TimeNS: 3_600_000_000_000, Request: req}
	data := call.Append(nil)
	id := in.find(kind, name)
	in.send(data)
	export := abi.ExportRespond
	if kind == abi.HandlerMatch {
		export = abi.ExportMatch
	}
	return in.call(export, uint64(id), uint64(len(data)))
}

func (in *instance) find(kind abi.HandlerKind, name string) uint32 {
	in.t.Helper()
	reply, err := in.call(abi.ExportDescribe)
	if err != nil {
		in.t.Fatal(err)
	}
	for _, h := range reply.Description.Handlers {
		if h.Kind == kind && h.Name == name {
			return h.ID
		}
	}
	in.t.Fatalf("no %s %q", kind, name)
	return 0
}

// respond is ask for an outcome.
func (in *instance) respond(name string, req abi.Request) *abi.Outcome {
	in.t.Helper()
	reply, err := in.ask(abi.HandlerRespond, name, req)
	if err != nil || reply.Outcome == nil {
		in.t.Fatalf("%s: %+v, %v", name, reply, err)
	}
	return reply.Outcome
}
