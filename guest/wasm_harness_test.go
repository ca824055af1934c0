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

// instance is a guest, compiled and instantiated on an engine as it
// is: these tests are about the SDK, and want nothing between.
type instance struct {
	t      testing.TB
	ctx    context.Context // leads the imports to the instance
	module api.Module
	blobs  [][]byte
	logs   []string
	failed *abi.Panic
	stderr bytes.Buffer
}

type instanceKey struct{}

func of(ctx context.Context) *instance { return ctx.Value(instanceKey{}).(*instance) }

// build makes the guest of a folder.
func build(folder string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "guest")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "guest.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-buildmode=c-shared", "-o", file, "./"+folder)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("building %s: %w\n%s", folder, err, out)
	}
	return os.ReadFile(file)
}

// linked is an engine with everything that guests import. It lives as long as the
// tests do.
var linked = sync.OnceValues(func() (wazero.Runtime, error) {
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, engine())
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		return nil, err
	}
	return r, offer(ctx, r)
})

// compiled is the guests by name, each compiled when first asked for.
var compiled = map[string]func() (wazero.CompiledModule, error){
	"kitchen": sync.OnceValues(func() (wazero.CompiledModule, error) { return compile("kitchen") }),
	"status":  sync.OnceValues(func() (wazero.CompiledModule, error) { return compile("testdata/status") }),
}

func compile(folder string) (wazero.CompiledModule, error) {
	wasm, err := build(folder)
	if err != nil {
		return nil, err
	}
	r, err := linked()
	if err != nil {
		return nil, err
	}
	return r.CompileModule(context.Background(), wasm)
}

// instantiate makes an instance, and initialises it.
func instantiate(t testing.TB, name string) *instance {
	t.Helper()
	code, err := compiled[name]()
	if err != nil {
		t.Fatal(err)
	}
	r, err := linked()
	if err != nil {
		t.Fatal(err)
	}
	in := &instance{t: t}
	in.ctx = context.WithValue(context.Background(), instanceKey{}, in)
	config := wazero.NewModuleConfig().WithName("").WithStderr(&in.stderr).WithStartFunctions("_initialize")
	in.module, err = r.InstantiateModule(in.ctx, code, config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = in.module.Close(context.Background()) })
	return in
}

// offer defines the imports of the ABI.
func offer(ctx context.Context, r wazero.Runtime) error {
	b := r.NewHostModuleBuilder(abi.ImportModule)
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context, m api.Module, level int32, p, n uint32) int32 {
		in := of(ctx)
		in.logs = append(in.logs, abi.LogLevel(level).String()+": "+string(view(m, p, n)))
		return 0
	}).Export(abi.ImportLog)
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context, m api.Module, p, n uint32) int32 {
		failed := new(abi.Panic)
		if err := failed.Unmarshal(view(m, p, n)); err != nil {
			return int32(abi.StatusBadMessage)
		}
		of(ctx).failed = failed
		return 0
	}).Export(abi.ImportFail)
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context, m api.Module, handle int32, offset int64, p, n uint32) int32 {
		return int32(copy(view(m, p, n), of(ctx).blobs[handle][offset:]))
	}).Export(abi.ImportBlobRead)
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context, handle int32) int64 {
		return int64(len(of(ctx).blobs[handle]))
	}).Export(abi.ImportBlobLen)
	b.NewFunctionBuilder().WithFunc(func(context.Context, int32, int32, int32) int64 {
		return int64(abi.StatusUnsupported)
	}).Export(abi.ImportExtension)
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context) int32 {
		in := of(ctx)
		in.blobs = append(in.blobs, nil)
		return int32(len(in.blobs) - 1)
	}).Export(abi.ImportBlobNew)
	b.NewFunctionBuilder().WithFunc(func(ctx context.Context, m api.Module, handle int32, p, n uint32) int32 {
		blob := &of(ctx).blobs[handle]
		*blob = append(*blob, view(m, p, n)...)
		return int32(n)
	}).Export(abi.ImportBlobWrite)
	_, err := b.Instantiate(ctx)
	return err
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
	res, err := in.module.ExportedFunction(abi.ExportBuffer).Call(in.ctx, uint64(len(data)))
	if err != nil || res[0] == 0 {
		in.t.Fatalf("no buffer of %d bytes: %v", len(data), err)
	}
	copy(view(in.module, uint32(res[0]), uint32(len(data))), data)
}

// call calls an export that returns a reply.
func (in *instance) call(export string, args ...uint64) (*abi.Reply, error) {
	in.t.Helper()
	res, err := in.module.ExportedFunction(export).Call(in.ctx, args...)
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
