package wasi

import (
	"encoding/binary"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

const memorySize = 64 << 10

// A world is an instance with a page of memory that calls the functions of this
// package as a guest does.
type world struct {
	t   testing.TB
	env *Env
	in  *enginetest.FakeInstance
}

var all = func() map[string]engine.HostFunc {
	byName := map[string]engine.HostFunc{}
	for _, f := range Imports(func(in engine.Instance) *Env { return in.Data().(*Env) }) {
		byName[f.Name] = f
	}
	return byName
}()

func newWorld(t testing.TB, config Config) *world {
	t.Helper()
	m, err := enginetest.NewFake(map[string]enginetest.Program{"guest": {Pages: 1}}).
		Compile(t.Context(), []byte("guest"))
	if err != nil {
		t.Fatal(err)
	}
	env := NewEnv(config)
	in, err := m.Instantiate(t.Context(), env)
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, env: env, in: in.(*enginetest.FakeInstance)}
}

// call calls a function that returns an error number.
func (w *world) call(name string, params ...uint64) errno {
	w.t.Helper()
	f, ok := all[name]
	if !ok || len(params) != len(f.Type.Params) {
		w.t.Fatalf("%s doesn't exist or has other parameters than %v", name, params)
	}
	stack := make([]uint64, max(len(params), 1))
	copy(stack, params)
	if err := f.Call(w.t.Context(), w.in, stack); err != nil {
		w.t.Fatalf("%s%v: %v", name, params, err)
	}
	return errno(stack[0])
}

// wants calls a function and compares the error number.
func (w *world) wants(want errno, name string, params ...uint64) {
	w.t.Helper()
	if got := w.call(name, params...); got != want {
		w.t.Errorf("%s%v: error number %d, want %d", name, params, got, want)
	}
}

func (w *world) put(at int, s string) { copy(w.in.Bytes()[at:], s) }

// vectors writes a list of addresses and lengths in turn.
func (w *world) vectors(at int, list ...uint32) {
	for i, v := range list {
		binary.LittleEndian.PutUint32(w.in.Bytes()[at+4*i:], v)
	}
}

func (w *world) u32(at int) uint32 { return binary.LittleEndian.Uint32(w.in.Bytes()[at:]) }
func (w *world) u64(at int) uint64 { return binary.LittleEndian.Uint64(w.in.Bytes()[at:]) }
