package host_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// BenchmarkLanguages has the same call answered by the kitchen-sink guest of each
// language: "exec" is a session's whole call, "bare" its baseline, the same message
// sent to the same export by the engine alone, and "start" is a session of one
// call, from its making to its close.
func BenchmarkLanguages(b *testing.B) {
	files, err := filepath.Glob("../testdata/guests/kitchen/*.wasm")
	if err != nil || len(files) == 0 {
		b.Fatalf("no guests: %v", err)
	}
	for _, file := range files {
		wasm, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		language := strings.TrimSuffix(filepath.Base(file), ".wasm")
		b.Run(language, func(b *testing.B) { benchmarkLanguage(b, language, wasm) })
	}
	b.Run("go", func(b *testing.B) {
		wasm, err := buildGo("../guest/kitchen")
		if err != nil {
			b.Fatal(err)
		}
		benchmarkLanguage(b, "go", wasm)
	})
	b.Run("js", func(b *testing.B) {
		const file = "../guest/js/kitchen/kitchen.js"
		source, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		wasm, err := js.Bundle(file, source)
		if err != nil {
			b.Fatal(err)
		}
		benchmarkLanguage(b, "js", wasm)
	})
}

func benchmarkLanguage(b *testing.B, language string, wasm []byte) {
	module, err := host.Load(context.Background(), language, wasm)
	if err != nil {
		b.Fatal(err)
	}
	responder, err := module.Responder("setting")
	if err != nil {
		b.Fatal(err)
	}
	outcome, call := host.Respond(responder), pwd(b)
	b.Run("exec", func(b *testing.B) { benchmarkSession(b, outcome, call) })
	b.Run("bare", func(b *testing.B) {
		id := handlerID(b, module.Description(), "setting")
		newBareGuest(b, wasm).respond(b, id, &abi.ExecRequest{Command: []string{"pwd"}})
	})
	b.Run("start", func(b *testing.B) {
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
	})
}
