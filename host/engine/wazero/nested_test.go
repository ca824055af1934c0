package wazero

import (
	"context"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A host function may call the instance that calls it, with a context of its own.
func TestACallGoesOnWithItsContextAfterOneInside(t *testing.T) {
	type key struct{}
	const (
		types   = "\x02\x60\x01\x7f\x00\x60\x00\x00"
		imports = "\x01\x03env\x04note\x00\x00"
		exports = "\x02\x05twice\x00\x01\x07nothing\x00\x02"
		code    = "\x02\x0a\x00\x41\x01\x10\x00\x41\x02\x10\x00\x0b\x02\x00\x0b" // note(1), note(2)
	)
	for name, config := range map[string]Config{"interruptible": {}, "uninterruptible": {Uninterruptible: true}} {
		t.Run(name, func(t *testing.T) {
			var seen []any
			note := engine.HostFunc{
				Module: "env", Name: "note", Type: engine.Func([]engine.ValueType{engine.I32}),
				Call: func(ctx context.Context, caller engine.Instance, _ []uint64) error {
					seen = append(seen, ctx.Value(key{}))
					nothing, _ := caller.Function("nothing")
					return nothing.Call(context.WithValue(ctx, key{}, "inner"), nil)
				},
			}
			e, err := New(t.Context(), config, []engine.HostFunc{note})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close(context.Background())
			m, err := e.Compile(t.Context(), []byte(header+section(1, types)+section(2, imports)+section(3, "\x02\x01\x01")+
				section(7, exports)+section(10, code)))
			if err != nil {
				t.Fatal(err)
			}
			in, err := m.Instantiate(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			twice, _ := in.Function("twice")
			if err := twice.Call(context.WithValue(t.Context(), key{}, "outer"), nil); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(seen, []any{"outer", "outer"}) {
				t.Errorf("it was called with the contexts %v", seen)
			}
		})
	}
}
