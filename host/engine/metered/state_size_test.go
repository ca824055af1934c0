package metered_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// A wideEngine's instances say that they have a memory of that size.
type wideEngine struct {
	engine.Engine
	size uint64
}

func (e *wideEngine) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	m, err := e.Engine.Compile(ctx, wasm)
	return &wideModule{m, e.size}, err
}

type wideModule struct {
	engine.Module
	size uint64
}

func (m *wideModule) Instantiate(ctx context.Context, data any) (engine.Instance, error) {
	in, err := m.Module.Instantiate(ctx, data)
	return &wideInstance{in, m.size}, err
}

type wideInstance struct {
	engine.Instance
	size uint64
}

func (in *wideInstance) Memory() engine.Memory { return &wideMemory{in.Instance.Memory(), in.size} }

type wideMemory struct {
	engine.Memory
	size uint64
}

func (m *wideMemory) Size() uint64 { return m.size }

// The largest memory can't be looked at as a whole: its instance has no state, rather
// than one without what is in it.
func TestAMemoryOf4GiBHasNoState(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in := start(t, func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			e, err := inner(ctx, imports)
			return &wideEngine{e, 1 << 32}, err
		}, metered.Config{}, "limits")
		_, err := in.State()
		wantKind(t, err, metered.Volatile)
		wantKind(t, in.Restore(snapshot(t, start(t, inner, metered.Config{}, "limits"))), metered.LargerMemory)
	})
}

// Whether a state fits a module can be told without an instance.
func TestAModuleSaysWhichStatesFit(t *testing.T) {
	onEach(t, func(t *testing.T, inner maker) {
		in, other := start(t, inner, metered.Config{}, "limits"), start(t, inner, metered.Config{}, "start")
		s := snapshot(t, in)
		if err := in.Module().Fits(s); err != nil {
			t.Error(err)
		}
		wantKind(t, other.Module().Fits(s), metered.OtherModule)
		wantKind(t, start(t, inner, metered.Config{}, "volatile").Module().Fits(s), metered.Volatile)
		encoded, _ := s.MarshalBinary()
		const pages = len("wasmsandbox state\x01") + sha256.Size
		for name, change := range map[string]func([]byte){
			"less memory than from the start": func(b []byte) { clear(b[pages:][:4]) },
			"a global of another type":        func(b []byte) { b[pages+5] ^= 1 },
		} {
			forged := bytes.Clone(encoded[:len(encoded)-sha256.Size])
			change(forged)
			sum := sha256.Sum256(forged)
			var changed metered.State
			if err := changed.UnmarshalBinary(append(forged, sum[:]...)); err != nil {
				t.Logf("%s: %v", name, err) // which is as good
				continue
			}
			if err := in.Module().Fits(&changed); !errors.Is(err, metered.OtherModule) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
