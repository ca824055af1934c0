package metering_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	wz "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

func randomChoices(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	choices := make([]byte, n)
	for i := range choices {
		choices[i] = byte(r.Uint32())
	}
	return choices
}

// wantGeneratedSame runs a generated module and its rewritten form with the
// same calls. The generator counts rounds in a global that is exported as count.
func wantGeneratedSame(t *testing.T, choices []byte, options metering.Options) (trapped, returned int) {
	t.Helper()
	wasm := generate(choices)
	config := wz.NewRuntimeConfigInterpreter()
	if len(choices)%4 == 0 {
		config = wz.NewRuntimeConfigCompiler()
	}
	original, err1 := startWith(background, t, config, wasm, enough)
	rewritten, err2 := startWith(background, t, config, rewrite(t, wasm, options).Wasm, enough)
	if err1 != nil || err2 != nil {
		t.Fatalf("the original: %v, the rewritten one: %v", err1, err2)
	}
	for i := range 2 * generatedFunctions {
		name := "f" + string(rune('0'+i/2))
		args := []uint64{0, 0}
		if i%2 == 1 {
			args = []uint64{12, 9}
		}
		want, err1 := original.call(background, name, args...)
		got, err2 := rewritten.call(background, name, args...)
		if !sameNumbers(original, name, got, want) || reason(err1) != reason(err2) {
			t.Errorf("%s(%v) = %v, %v, want %v, %v", name, args, got, reason(err2), want, reason(err1))
		}
		if got, want := rewritten.state()+globals(rewritten), original.state()+globals(original); got != want {
			t.Errorf("after %s(%v): %s, want %s", name, args, got, want)
		}
		if err1 != nil {
			trapped++
		} else {
			returned++
		}
	}
	return trapped, returned
}

// sameNumbers compares results of a function. The original may give any NaN.
func sameNumbers(g *guest, name string, got, want []uint64) bool {
	for i, t := range g.ExportedFunction(name).Definition().ResultTypes() {
		if i < len(want) && i < len(got) && t == api.ValueTypeF64 && math.IsNaN(api.DecodeF64(want[i])) && got[i] == canonicalNaN {
			want[i] = canonicalNaN
		}
	}
	return slices.Equal(got, want)
}

func globals(g *guest) string {
	return fmt.Sprintf(", globals %d %d", g.ExportedGlobal("g1").Get(), g.ExportedGlobal("g2").Get())
}

func TestGeneratedModulesComputeTheSame(t *testing.T) {
	trapped, returned := 0, 0
	for seed := range uint64(400) {
		a, b := wantGeneratedSame(t, randomChoices(seed, 20+int(seed)*5), allOptions[seed%uint64(len(allOptions))])
		trapped, returned = trapped+a, returned+b
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	if trapped < 100 || returned < 100 {
		t.Errorf("%d calls trapped and %d returned, want many of both", trapped, returned)
	}
}

func FuzzGeneratedModulesComputeTheSame(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(randomChoices(seed, 300), byte(seed))
	}
	f.Fuzz(func(t *testing.T, choices []byte, options byte) {
		if len(choices) > 4000 {
			t.Skip("it is longer than has to be")
		}
		wantGeneratedSame(t, choices, allOptions[int(options)%len(allOptions)])
	})
}
