package metered_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// generatedArguments are what the functions of a generated module are called with.
var generatedArguments = [][]uint64{make([]uint64, 10), {12, 9, 3, 4, 5, 6, 7, 8, 9, 10}}

// A life is what an instance of a generated module shows, call by call.
type life struct {
	calls []string
	fuel  []int64 // of the start function and of each call, if it is metered
}

// live makes all calls of an instance, and goes on with another one after a call that
// failed. One that is metered has a limit of fuel for each call.
func live(t *testing.T, m engine.Module, limits []int64) (l life) {
	t.Helper()
	var in engine.Instance
	var notes []uint64
	for _, e := range m.Exports() {
		for _, arguments := range generatedArguments {
			if e.Kind != engine.ExternFunc {
				continue
			}
			if in == nil {
				var err error
				if in, err = m.Instantiate(t.Context(), &notes); err != nil {
					l.calls = append(l.calls, "starts with] "+failure(err)+",")
					return l
				}
				l.note(in, "start", nil, nil, nil, notes)
			}
			f, _ := in.Function(e.Name)
			if meter, ok := metered.Of(in); ok && len(limits) > len(l.fuel) {
				meter.SetLimit(limits[len(l.fuel)])
			}
			stack := slices.Clone(arguments)
			err := f.Call(t.Context(), stack)
			l.note(in, e.Name, e.Type.Results, stack[:len(e.Type.Results)], err, notes)
			if err != nil {
				_ = in.Close(t.Context())
				in = nil
			}
		}
	}
	return l
}

// note takes down what is to be seen after a call.
func (l *life) note(in engine.Instance, name string, types []engine.ValueType, results []uint64, err error, notes []uint64) {
	memory, _ := in.Memory().View(0, uint32(in.Memory().Size()))
	if err != nil {
		results = nil
	}
	for i, t := range results {
		if types[i] == engine.I32 || types[i] == engine.F32 { // the upper half means nothing
			results[i] = uint64(uint32(t))
		}
	}
	text := fmt.Sprintf("%s %x] %s, notes %v, %d bytes %x", name, results, failure(err), notes, len(memory), sha256.Sum256(memory))
	for _, name := range []string{"count", "g1", "g2", "g3", "g4"} {
		if g, ok := in.Global(name); ok {
			text += fmt.Sprintf(", %s %#x", name, g.Get())
		}
	}
	l.calls = append(l.calls, text)
	if meter, ok := metered.Of(in); ok {
		l.fuel = append(l.fuel, meter.Used())
	}
}

// failure is how a call ended, in words that all engines share.
func failure(err error) string {
	var trap *engine.TrapError
	switch {
	case err == nil:
		return "fine"
	case errors.As(err, new(*metering.OutOfFuelError)):
		return "out of fuel"
	case errors.As(err, &trap):
		return trap.Reason
	default:
		return err.Error()
	}
}

// generatedNote is the import of generated modules: it writes down what it is given.
var generatedNote = engine.HostFunc{
	Module: "env", Name: "note", Type: engine.Func([]engine.ValueType{engine.I32}, engine.I32),
	Call: func(_ context.Context, caller engine.Instance, stack []uint64) error {
		notes := caller.Data().(*[]uint64)
		*notes = append(*notes, uint64(uint32(stack[0])))
		stack[0] *= 2
		return nil
	},
}

// wantGeneratedSame has a generated module do the same on all engines, metered or not, and
// use the same fuel. With floats, only engines with canonical NaNs are asked for the original.
func wantGeneratedSame(t *testing.T, choices []byte, floats bool) (ends map[string]int) {
	t.Helper()
	wasm := generate(choices, floats)
	imports := []engine.HostFunc{generatedNote}
	var plain, fuel, short map[string]string
	plain, fuel, short = map[string]string{}, map[string]string{}, map[string]string{}
	ends = map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(engines)) {
		inner, compared := engines[name], !floats
		if canonically, ok := canonical[name]; ok && floats {
			inner, compared = canonically, true
		}
		bare, err := inner(t.Context(), imports)
		if err != nil {
			t.Fatal(err)
		}
		limited := newMetered(t, engines[name], metered.Config{Slice: 64}, imports...)
		original, err := bare.Compile(t.Context(), wasm)
		if err != nil {
			t.Fatalf("%s doesn't take %v: %x", name, err, wasm)
		}
		counted := compiled(t, limited, wasm)
		want, got := live(t, original, nil), live(t, counted, nil)
		if compared && !slices.Equal(want.calls, got.calls) {
			t.Errorf("%s: the original\n%s\nthe metered one\n%s", name, strings.Join(want.calls, "\n"), strings.Join(got.calls, "\n"))
		}
		var limits []int64
		for i, used := range got.fuel {
			limits = append(limits, 1+used*int64(i%7+1)/8)
		}
		ending := live(t, counted, limits)
		plain[strings.Join(got.calls, "\n")] += name
		fuel[fmt.Sprint(got.fuel)] += name
		short[fmt.Sprint(ending.fuel, strings.Join(ending.calls, "\n"))] += name
		for _, l := range []life{got, ending} {
			for _, call := range l.calls {
				_, end, _ := strings.Cut(call, "] ")
				end, _, _ = strings.Cut(end, ",")
				ends[end]++
			}
		}
		_ = bare.Close(context.Background())
		_ = limited.Close(context.Background())
	}
	if len(plain) > 1 || len(fuel) > 1 || len(short) > 1 {
		t.Errorf("the engines differ: %v\n%v\n%v", plain, fuel, short)
	}
	return ends
}

func TestGeneratedModulesDoTheSameOnAllEngines(t *testing.T) {
	all := map[string]int{}
	for seed := range uint64(60) {
		for end, n := range wantGeneratedSame(t, generatedChoices(seed, 50+int(seed)*20), seed%3 == 2) {
			all[end] += n
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	for _, end := range []string{"fine", "out of fuel", "unreachable", "out of bounds memory access", "invalid table access"} {
		if all[end] == 0 {
			t.Errorf("none ended %q, but %v", end, all)
		}
	}
}

func FuzzGeneratedModulesDoTheSameOnAllEngines(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(generatedChoices(seed, 500), seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, choices []byte, floats bool) {
		if len(choices) > 4000 {
			t.Skip("it is longer than has to be")
		}
		wantGeneratedSame(t, choices, floats)
	})
}

func generatedChoices(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	choices := make([]byte, n)
	for i := range choices {
		choices[i] = byte(r.Uint32())
	}
	return choices
}
