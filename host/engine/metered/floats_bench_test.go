package metered_test

import (
	"context"
	"os"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// BenchmarkFloats runs a guest that computes with floats, metered, beside the engine
// inside, whose NaNs are any, and one that makes them canonical itself, if there is one.
func BenchmarkFloats(b *testing.B) {
	wasm, err := os.ReadFile("../../metering/testdata/floats.wasm")
	if err != nil {
		b.Fatal(err)
	}
	for name, inner := range engines {
		for function, rounds := range map[string]uint64{"bodies": 10_000, "matrices": 10} {
			b.Run(function+"/"+name, func(b *testing.B) {
				contenders := []contender{
					floatsOn(b, "metered", newMetered(b, inner, metered.Config{}), wasm, function, rounds),
					floatsOn(b, "bare", bare(b, inner), wasm, function, rounds),
				}
				if own, ok := canonical[name]; ok {
					contenders = append(contenders, floatsOn(b, "own", bare(b, own), wasm, function, rounds))
				}
				contend(b, 1, contenders...)
			})
		}
	}
}

func bare(b *testing.B, inner maker) engine.Engine {
	b.Helper()
	e, err := inner(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

func floatsOn(b *testing.B, name string, e engine.Engine, wasm []byte, function string, rounds uint64) contender {
	b.Helper()
	m, err := e.Compile(b.Context(), wasm)
	if err != nil {
		b.Fatal(err)
	}
	in, err := m.Instantiate(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	f, _ := in.Function(function)
	return contender{name: name, run: func() {
		if err := f.Call(b.Context(), []uint64{rounds, 1}); err != nil {
			b.Fatal(err)
		}
	}}
}
