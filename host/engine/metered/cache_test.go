package metered_test

import (
	"context"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// entries are the files of rewritten modules in a cache folder, and those that were to
// become some.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "metered", "[0-9a-f]*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// kept compiles a module with an engine of its own, and gives its only entry.
func kept(t *testing.T, dir string, wasm []byte) string {
	t.Helper()
	compile(t, newMetered(t, engines["wazero"], metered.Config{CacheDir: dir}), wasm)
	files := entries(t, dir)
	if len(files) != 1 {
		t.Fatalf("the entries are %v", files)
	}
	return files[0]
}

// replace makes an entry have other content, with the right checksum.
func replace(t *testing.T, file string, content []byte) {
	t.Helper()
	key, err := hex.DecodeString(filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	adapter.NewCache(filepath.Dir(file)).Store([32]byte(key), content)
}

func encode(t testing.TB, wasm []byte, options metering.Options) []byte {
	t.Helper()
	result, err := metering.Rewrite(wasm, options)
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := result.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

// What is kept is run as it is, like compiled code: that is why only its owner may be
// able to write to the folder.
func TestARewrittenModuleIsTakenFromTheCache(t *testing.T) {
	dir := t.TempDir()
	file := kept(t, dir, loop)
	replace(t, file, encode(t, guest(t, "limits"), metering.Options{ExportGlobals: true}))
	onEach(t, func(t *testing.T, inner maker) {
		m := compile(t, newMetered(t, inner, metered.Config{CacheDir: dir}), loop)
		names := make([]string, len(m.Exports()))
		for i, e := range m.Exports() {
			names[i] = e.Name
		}
		if !cmp.Equal(names, exportsOf(t, "limits")) {
			t.Errorf("it exports %v, which isn't what the entry does", names)
		}
	})
}

func exportsOf(t *testing.T, name string) (names []string) {
	t.Helper()
	for _, e := range compile(t, newMetered(t, engines["wazero"], metered.Config{}), guest(t, name)).Exports() {
		names = append(names, e.Name)
	}
	return names
}

// A behaviour is what can be seen of a module and an instance of it.
type behaviour struct {
	Imports  []engine.Import
	Exports  []engine.Export
	Volatile []string
	Digest   [32]byte
	Used     []int64
	State    [32]byte
	Offsets  []int
	Errors   []string
}

func behaviourOf(t *testing.T, inner maker, config metered.Config) (b behaviour) {
	t.Helper()
	m := compile(t, newMetered(t, inner, config), guest(t, "limits")).(*metered.Module)
	b.Imports, b.Exports, b.Volatile, b.Digest = m.Imports(), m.Exports(), m.Volatile(), m.Digest()
	for place := range 4 * len(guest(t, "limits")) {
		original, _ := m.Offsets().Original(place)
		b.Offsets = append(b.Offsets, original)
	}
	in := instantiate(t, m)
	in.call(t, "work", 300)
	b.Used = append(b.Used, in.Used())
	in.call(t, "grow", 1)
	b.Used = append(b.Used, in.Used())
	b.State = snapshot(t, in).Digest()
	in.SetLimit(1000)
	_, err := in.try(t, "work", 1_000_000)
	out, ok := errors.AsType[*metering.OutOfFuelError](err)
	if !ok {
		t.Fatalf("error %v, want an *OutOfFuelError", err)
	}
	b.Used = append(b.Used, out.Used)
	_, err = instantiate(t, m).try(t, "deep", 1_000_000)
	if _, ok := errors.AsType[*metered.DepthError](err); !ok {
		t.Fatalf("error %v, want a *DepthError", err)
	}
	b.Errors = append(b.Errors, err.Error())
	return b
}

// The engines share entries, too.
func TestAModuleFromTheCacheIsWhatItWas(t *testing.T) {
	dir := t.TempDir()
	limits := metered.Limits{Depth: 100, MemoryPages: 4}
	onEach(t, func(t *testing.T, inner maker) {
		want := behaviourOf(t, inner, metered.Config{Limits: limits})
		for range 2 {
			got := behaviourOf(t, inner, metered.Config{Limits: limits, CacheDir: dir})
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("behaviour (-without +with a cache):\n%s", diff)
			}
		}
	})
	if files := entries(t, dir); len(files) != 1 {
		t.Errorf("the entries are %v, want one", files)
	}
}

func TestLimitsOfCodeHaveEntriesOfTheirOwn(t *testing.T) {
	dir := t.TempDir()
	e := newMetered(t, engines["wazero"], metered.Config{CacheDir: dir})
	for i, test := range []struct {
		limits  metered.Limits
		entries int
	}{
		{metered.Limits{}, 1},
		{metered.Limits{Depth: metered.DefaultDepth}, 1},
		{metered.Limits{Fuel: 1000}, 1}, // it isn't in the code
		{metered.Limits{Depth: 99}, 2},
		{metered.Limits{Depth: -1}, 3},
		{metered.Limits{Depth: -2}, 3},
		{metered.Limits{MemoryPages: 99}, 4},
		{metered.Limits{TableEntries: 99}, 5},
	} {
		if _, err := e.CompileWithin(t.Context(), guest(t, "limits"), test.limits); err != nil {
			t.Fatal(err)
		}
		if files := entries(t, dir); len(files) != test.entries {
			t.Errorf("%d: with %+v there are %d entries, want %d", i, test.limits, len(files), test.entries)
		}
	}
}

func TestAnEntryThatIsDamagedIsMadeAnew(t *testing.T) {
	result, err := metering.Rewrite(loop, metering.Options{})
	if err != nil {
		t.Fatal(err)
	}
	result.Wasm = result.Wasm[:len(result.Wasm)-1]
	cut, err := result.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	overwrite := func(t *testing.T, file string, content []byte) {
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, damage := range map[string]func(t *testing.T, file string, entry []byte){
		"empty":         func(t *testing.T, file string, _ []byte) { overwrite(t, file, nil) },
		"cut off":       func(t *testing.T, file string, b []byte) { overwrite(t, file, b[:len(b)/2]) },
		"changed":       func(t *testing.T, file string, b []byte) { b[len(b)/2] ^= 1; overwrite(t, file, b) },
		"of other form": func(t *testing.T, file string, _ []byte) { replace(t, file, []byte("something else")) },
		"not a module":  func(t *testing.T, file string, _ []byte) { replace(t, file, make([]byte, 100)) },
		"invalid":       func(t *testing.T, file string, _ []byte) { replace(t, file, cut) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := kept(t, dir, loop)
			good, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			damage(t, file, append([]byte(nil), good...))
			kept(t, dir, loop)
			if again, err := os.ReadFile(file); err != nil || string(again) != string(good) {
				t.Errorf("the entry hasn't been made anew (%v)", err)
			}
		})
	}
}

func TestOnlyWhatIsCompiledIsKept(t *testing.T) {
	dir := t.TempDir()
	e := newMetered(t, engines["wazero"], metered.Config{CacheDir: dir})
	for name, wasm := range map[string][]byte{
		"malformed": loop[:len(loop)-3],
		"ill-typed": module(section(1, 1, 0x60, 0, 1, 0x7f), section(3, 1, 0), section(10, 1, 2, 0, 0x0b)), // it has no result
	} {
		if _, err := e.Compile(t.Context(), wasm); err == nil {
			t.Errorf("%s: it is compiled", name)
		}
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Compile(cancelled, loop); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	if files := entries(t, dir); len(files) != 0 {
		t.Errorf("the entries are %v", files)
	}
}

func TestAFolderThatCannotBeUsedIsNoCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{file, filepath.Join(file, "below"), "a\x00b"} {
		e := newMetered(t, engines["wazero"], metered.Config{CacheDir: dir})
		for range 2 {
			compile(t, e, loop)
		}
	}
}

func TestEnginesShareACache(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 4 {
		for _, inner := range engines {
			wg.Go(func() {
				e := newMetered(t, inner, metered.Config{CacheDir: dir})
				if _, err := e.Compile(t.Context(), guest(t, "limits")); err != nil {
					t.Error(err)
				}
			})
		}
	}
	wg.Wait()
	if files := entries(t, dir); len(files) != 1 {
		t.Errorf("the entries are %v", files)
	}
}
