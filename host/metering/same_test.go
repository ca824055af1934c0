package metering_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	wz "github.com/tetratelabs/wazero"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// arguments are tried for each function of a guest, in this order.
var arguments = [][]uint64{
	{0, 0}, {1, 1}, {2, 3}, {3, 1}, {4, 0}, {7, 2}, {9, 9}, {17, 12}, {20, 21},
	{1234, 5}, {65530, 3}, {70000, 60000}, {1<<32 - 1, 1}, {1 << 31, 1<<32 - 1},
}

// enough is fuel that no call of the tests needs.
var enough = metering.Tank{Limit: 1 << 40, Slice: 1000}

// wantSame runs an original and its rewritten form side by side: the same calls
// have to give the same results, traps, memory and globals.
func wantSame(t *testing.T, wasm []byte, options metering.Options, calls func(do func(name string, args ...uint64))) {
	t.Helper()
	result := rewrite(t, wasm, options)
	original, err1 := start(t.Context(), t, wasm, enough)
	rewritten, err2 := start(t.Context(), t, result.Wasm, enough)
	if reason(err1) != reason(err2) {
		t.Fatalf("the original starts with %v, the rewritten one with %v", err1, err2)
	}
	if err1 != nil {
		return
	}
	calls(func(name string, args ...uint64) {
		want, err1 := original.call(t.Context(), name, args...)
		got, err2 := rewritten.call(t.Context(), name, args...)
		if fmt.Sprint(got) != fmt.Sprint(want) || reason(err2) != reason(err1) {
			t.Errorf("%s(%v) = %v, %s, want %v, %s", name, args, got, reason(err2), want, reason(err1))
		}
		if got, want := rewritten.state(), original.state(); got != want {
			t.Errorf("after %s(%v): %s, want %s", name, args, got, want)
		}
	})
}

func TestEveryFeatureComputesTheSame(t *testing.T) {
	for _, name := range []string{"features", "tailcalls", "named", "fuel"} {
		for _, options := range allOptions {
			t.Run(fmt.Sprintf("%s %+v", name, options), func(t *testing.T) {
				wasm := testGuest(t, name)
				wantSame(t, wasm, options, func(do func(string, ...uint64)) {
					for _, function := range functions(t, wasm) {
						for _, args := range arguments {
							if tooLong(function, args) {
								continue
							}
							do(function, args...)
						}
					}
				})
			})
		}
	}
}

// tooLong tells the calls that take too long, or more stack than there is.
func tooLong(function string, args []uint64) bool {
	n := args[0]
	switch function {
	case "endless":
		return true
	case "fib":
		return n > 20 && n < 1<<31
	case "count", "sum", "even":
		return n == 0 || n > 1<<20
	case "blocks", "leaves":
		return n == 1<<31
	case "deep":
		return n > 5000
	default:
		return false
	}
}

// functions are the names of a module's exported functions, but for those that
// engines call.
func functions(t *testing.T, wasm []byte) (names []string) {
	t.Helper()
	g, err := start(t.Context(), t, wasm, enough)
	if err != nil {
		t.Fatal(err)
	}
	for name := range g.ExportedFunctionDefinitions() {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) == 0 {
		t.Fatal("it exports no function")
	}
	return names
}

func TestGuestsInCComputeTheSame(t *testing.T) {
	for _, options := range allOptions {
		wantSame(t, testGuest(t, "floats"), options, func(do func(string, ...uint64)) {
			for _, n := range []uint64{0, 1, 100} {
				do("bodies", n, n+1)
				do("matrices", n%10, 65+n)
			}
		})
		wantSame(t, testGuest(t, "sorthash"), options, func(do func(string, ...uint64)) {
			for _, n := range []uint64{0, 1, 16, 17, 1000, 65536, 65537} {
				do("run", n, 12345+n)
			}
		})
	}
}

func TestAGuestInGoComputesTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a large guest several times")
	}
	wasm := goGuest(t, "./testdata/compute")
	for _, options := range []metering.Options{{}, {MaxDepth: 10_000, ExportGlobals: true}} {
		wantSame(t, wasm, options, func(do func(string, ...uint64)) {
			for _, n := range []uint64{0, 1, 10, 300} {
				do("run", n, 99)
			}
		})
	}
}

// goGuest builds a guest in Go.
func goGuest(t testing.TB, folder string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "guest.wasm")
	build := exec.Command("go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", file, folder)
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wasm, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}

// TestGuestsOfTheTree rewrites all compiled guests that are in the tree: those
// that an engine takes have to be taken by it once more.
func TestGuestsOfTheTree(t *testing.T) {
	files, err := filepath.Glob("../engine/enginetest/testdata/*.wasm")
	if err != nil || len(files) == 0 {
		t.Fatalf("guests %v, %v", files, err)
	}
	for _, pattern := range []string{"../../guest/*/build/*.wasm", "../../testdata/*/*.wasm", "../../testdata/*/*/*.wasm"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			wasm, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, options := range allOptions {
				wantCompiles(t, wasm, options)
			}
		})
	}
}

func wantCompiles(t *testing.T, wasm []byte, options metering.Options) {
	t.Helper()
	r := wz.NewRuntimeWithConfig(t.Context(), wz.NewRuntimeConfigInterpreter().WithCoreFeatures(features))
	defer r.Close(t.Context())
	if _, err := r.CompileModule(t.Context(), wasm); err != nil {
		t.Skipf("the engine doesn't take the original: %v", err)
	}
	result, err := metering.Rewrite(wasm, options)
	if errors.Is(err, metering.Reserved) {
		t.Skipf("a guest that means harm: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.CompileModule(t.Context(), result.Wasm); err != nil {
		t.Error(err)
	}
}
