package host_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

func TestAModuleThatIsntAGuestIsRefusedBeforeAnyCall(t *testing.T) {
	const i32, i64 = engine.I32, engine.I64
	without := func(name string) enginetest.Program { return fakeGuest(fakeFuncs{name: {Type: engine.Func(nil, i32)}}) }
	described := func(d abi.Description) enginetest.Program {
		return fakeGuest(fakeFuncs{abi.ExportDescribe: {Run: replyWith(abi.Reply{Description: &d})}})
	}
	noop := func(context.Context, *enginetest.FakeInstance, []uint64) error { return nil }
	withImport := func(i engine.Import) enginetest.Program {
		p := fakeGuest(nil)
		p.Imports = []engine.Import{i}
		return p
	}
	tests := []struct {
		name    string
		program enginetest.Program
		kind    host.ModuleErrorKind
		text    string
	}{
		{"no version, but a program", enginetest.Program{Pages: 1, Functions: fakeFuncs{"_start": {Type: engine.Func(nil), Run: noop}}},
			host.ModuleNotReactor, "-buildmode=c-shared"},
		{"a version, but a program", fakeGuest(fakeFuncs{"_start": {Type: engine.Func(nil), Run: noop}}), host.ModuleNotReactor, "-buildmode=c-shared"},
		{"no version at all", enginetest.Program{Pages: 1}, host.ModuleMissingExport, "wasmsandbox_abi_v1"},
		{"version 2", enginetest.Program{Pages: 1, Functions: fakeFuncs{"wasmsandbox_abi_v2": {Type: engine.Func(nil, i32), Run: noop}}},
			host.ModuleWrongVersion, "speaks version 2"},
		{"a later minor version", fakeGuest(fakeFuncs{abi.ExportVersion: {Run: answer(7)}}), host.ModuleWrongVersion, "needs version 1.7"},
		{"no memory", enginetest.Program{Functions: fakeGuest(nil).Functions}, host.ModuleMissingExport, "memory"},
		{"no buffer", without(abi.ExportBuffer), host.ModuleMissingExport, "wasmsandbox_buffer (i32) -> i32"},
		{"no describe", without(abi.ExportDescribe), host.ModuleMissingExport, "wasmsandbox_describe () -> i64"},
		{"no open", without(abi.ExportOpen), host.ModuleMissingExport, "wasmsandbox_open"},
		{"no respond", without(abi.ExportRespond), host.ModuleMissingExport, "wasmsandbox_respond"},
		{"a respond of another type", fakeGuest(fakeFuncs{abi.ExportRespond: {Type: engine.Func([]engine.ValueType{i64}, i64), Run: noop}}),
			host.ModuleWrongSignature, "(i64) -> i64, not (i32, i32) -> i64"},
		{"an import that doesn't exist", withImport(engine.Import{Module: "env", Name: "abort", Type: engine.Func(nil)}),
			host.ModuleUnknownImport, "env.abort"},
		{"an import of another type", withImport(engine.Import{Module: abi.ImportModule, Name: abi.ImportLog, Type: engine.Func(nil)}),
			host.ModuleWrongSignature, "import wasmsandbox_v1.log"},
		{"a describe that traps", fakeGuest(fakeFuncs{abi.ExportDescribe: {Run: func(context.Context, *enginetest.FakeInstance, []uint64) error {
			return &engine.TrapError{Reason: "unreachable"}
		}}}), host.ModuleBadDescription, "unreachable"},
		{"a describe that answers an outcome", fakeGuest(fakeFuncs{abi.ExportDescribe: {Run: replyWith(execReply(""))}}),
			host.ModuleBadDescription, "isn't a description"},
		{"a handler without a name", described(abi.Description{Handlers: []abi.Handler{{ID: 1, Kind: abi.HandlerMatch}}}),
			host.ModuleBadDescription, "without a name"},
		{"two handlers of one name", described(abi.Description{Handlers: []abi.Handler{
			{ID: 1, Name: "a", Kind: abi.HandlerMatch}, {ID: 2, Name: "a", Kind: abi.HandlerMatch}}}),
			host.ModuleBadDescription, "same name"},
		{"a start function that traps", func() enginetest.Program {
			p := fakeGuest(nil)
			p.Start = func(context.Context, *enginetest.FakeInstance) error { return &engine.TrapError{Reason: "unreachable"} }
			return p
		}(), host.ModuleBadDescription, "unreachable"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := loadFake(t, test.program)
			e := wantModuleError(t, err, test.kind)
			if e.Module != "fake" || !strings.Contains(e.Error(), test.text) {
				t.Errorf("error %q, want it to name fake and to have %q", e, test.text)
			}
		})
	}
}

func TestWhatIsntWebAssemblyIsRefused(t *testing.T) {
	echo, err := echoWasm()
	if err != nil {
		t.Fatal(err)
	}
	for name, wasm := range map[string][]byte{
		"nothing":     nil,
		"text":        []byte("#!/bin/sh\necho hello\n"),
		"cut short":   echo[:len(echo)/2],
		"an ELF file": []byte("\x7fELF\x02\x01\x01"),
		"a component": {0, 'a', 's', 'm', 0x0d, 0, 1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := host.Load(t.Context(), name, wasm)
			_ = wantModuleError(t, err, host.ModuleInvalid)
		})
	}
}

func TestAModuleIsCompiledOnceForAllSessions(t *testing.T) {
	compiled := 0
	program := fakeGuest(nil)
	program.Start = func(context.Context, *enginetest.FakeInstance) error { compiled++; return nil }
	runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return enginetest.NewFake(map[string]enginetest.Program{"a": program}, imports...), nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close(t.Context())

	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if _, err := runtime.Load(context.Background(), fmt.Sprint(i), []byte("a")); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if compiled != 1 {
		t.Errorf("described %d times, want once", compiled)
	}
}

func TestAPinnedModuleMustHaveItsDigest(t *testing.T) {
	for _, digest := range []string{strings.Repeat("0", 64), ""} {
		_, err := loadFake(t, fakeGuest(nil), host.WithSHA256(digest))
		_ = wantModuleError(t, err, host.ModuleWrongDigest)
	}

	module, err := loadFake(t, fakeGuest(nil))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loadFake(t, fakeGuest(nil), host.WithSHA256(fmt.Sprintf("%X", module.SHA256()))); err != nil {
		t.Error(err)
	}
}

func TestConfigurationReachesTheGuestInOrder(t *testing.T) {
	var open abi.Open
	_, r := fakeHandlers(t, fakeFuncs{abi.ExportOpen: {Run: func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		if err := open.Unmarshal(bytes.Clone(in.Bytes()[inputAddress:][:stack[0]])); err != nil {
			return err
		}
		return replyWith(abi.Reply{Done: true})(ctx, in, stack)
	}}}, host.WithConfig(map[string]any{
		"z": nil, "b": true, "a": []any{1, "two", []byte{3}}, "m": map[string]any{"y": int64(2), "x": 1},
	}))
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}}, host.WithSeed(42))
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Fatal(err)
	}
	want := "[{a [1 two [3]]} {b true} {m [{x 1} {y 2}]} {z <nil>}]"
	if got := fmt.Sprint(open.Config); got != want {
		t.Errorf("config = %s, want %s", got, want)
	}
	if open.Seed != 42 || open.StartTimeNS != host.DefaultStartTime.UnixNano() || open.Limits.ReplyBytes == 0 {
		t.Errorf("open = %+v", open)
	}
}

func TestAConfigurationThatCantBePassedOnNamesTheValue(t *testing.T) {
	_, err := loadFake(t, fakeGuest(nil), host.WithConfig(map[string]any{"a": map[string]any{"b": []any{1, 1.5}}}))
	if e := wantModuleError(t, err, host.ModuleBadConfig); !strings.Contains(e.Error(), ".a.b[1]: isn't null, a boolean") {
		t.Errorf("error %q", e)
	}

	endless := map[string]any{}
	endless["again"] = endless
	_, err = loadFake(t, fakeGuest(nil), host.WithConfig(endless))
	if e := wantModuleError(t, err, host.ModuleBadConfig); !strings.Contains(e.Error(), "nested too deeply") {
		t.Errorf("error %q", e)
	}
}

func TestAHandlerThatDoesntExistListsThoseThatDo(t *testing.T) {
	module, err := loadFake(t, fakeGuest(nil))
	if err != nil {
		t.Fatal(err)
	}
	_, err = module.Responder("nope")
	if e := wantModuleError(t, err, host.ModuleUnknownHandler); !strings.Contains(e.Detail, "it has r, reads") {
		t.Errorf("detail = %q", e.Detail)
	}
	_, err = module.Matcher("r")
	if e := wantModuleError(t, err, host.ModuleUnknownHandler); !strings.Contains(e.Detail, `matcher "r", which is a responder; `) {
		t.Errorf("detail = %q", e.Detail)
	}
}

func TestAHandlerThatIsMisspeltIsSuggested(t *testing.T) {
	module, err := loadFake(t, fakeGuest(nil))
	if err != nil {
		t.Fatal(err)
	}
	_, err = module.Responder("raeds")
	if e := wantModuleError(t, err, host.ModuleUnknownHandler); e.Detail != `responder "raeds"; did you mean reads?` {
		t.Errorf("detail = %q", e.Detail)
	}
}

func TestAHandlerMustServeItsStepsMethod(t *testing.T) {
	module, err := loadFake(t, fakeGuest(nil))
	if err != nil {
		t.Fatal(err)
	}
	m, _ := module.Matcher("reads")
	r, _ := module.Responder("reads")
	for name, test := range map[string]struct {
		step   host.Step
		reason host.StepReason
	}{
		"matcher":   {host.Step{Method: host.MethodExec, Match: m, Outcome: host.Return(host.ExecResult{})}, host.ReasonInvalidMatcher},
		"responder": {host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}, host.ReasonInvalidOutcome},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := host.NewScripted([]host.Step{test.step})
			e, ok := errors.AsType[*host.InvalidStepError](err)
			if !ok || e.Reason != test.reason || !errors.Is(err, host.ModuleHandlerMismatch) {
				t.Errorf("error %v, want the reason %s", err, test.reason)
			}
		})
	}
	if _, err := host.NewScripted([]host.Step{{Method: host.MethodRead, Match: m, Outcome: host.Respond(r)}}); err != nil {
		t.Error(err)
	}
}

func TestAHandlerOutsideOfASessionSaysSo(t *testing.T) {
	m, r := fakeHandlers(t, nil)
	if _, err := m.Match(t.Context(), host.Call{}); err == nil {
		t.Error("the matcher answers")
	}
	if _, err := r.Respond(t.Context(), host.Call{}); err == nil {
		t.Error("the responder answers")
	}
}

func TestEachSessionHasAnInstanceOfItsOwn(t *testing.T) {
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		in.Bytes()[0]++
		return replyWith(execReply(fmt.Sprint(in.Bytes()[0])))(ctx, in, stack)
	}))
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	for range 3 {
		s := newSession(t, []host.Step{step, step})
		for _, want := range []string{"1", "2"} {
			got, err := s.Exec(t.Context(), host.ExecRequest{})
			if err != nil || string(got.Stdout) != want {
				t.Fatalf("stdout %q, %v, want %q", got.Stdout, err, want)
			}
		}
	}
}

// The cache is the folder named, in the environment or by the option; "off" is none.
func TestTheCompilationCacheCanBeMovedAndSwitchedOff(t *testing.T) {
	wasm := []byte("\x00asm\x01\x00\x00\x00" + // one function that does nothing
		"\x01\x04\x01\x60\x00\x00" + "\x03\x02\x01\x00" + "\x0a\x04\x01\x02\x00\x0b")
	load := func(t *testing.T, opts ...host.RuntimeOption) {
		t.Helper()
		runtime, err := host.NewRuntime(t.Context(), opts...)
		if err != nil {
			t.Fatal(err)
		}
		defer runtime.Close(context.Background())
		_, err = runtime.Load(t.Context(), "small", wasm)
		_ = wantModuleError(t, err, host.ModuleMissingExport) // compiled, but no guest
	}
	filled := func(dir string) bool {
		entries, _ := os.ReadDir(dir)
		return len(entries) > 0
	}
	home, moved, chosen, working := t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()
	t.Chdir(working)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("HOME", home)

	t.Setenv(host.CacheEnv, "off")
	load(t)
	t.Setenv(host.CacheEnv, moved)
	load(t)
	load(t, host.WithCacheDir(chosen))
	if filled(home) || !filled(moved) || !filled(chosen) {
		t.Errorf("the user's folder is filled: %v; the environment's: %v; the option's: %v", filled(home), filled(moved), filled(chosen))
	}
	if filled(working) {
		t.Error(`"off" is the name of a folder`)
	}
}

func TestACacheFolderThatWasAskedForMustBeUsable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := host.NewRuntime(t.Context(), host.WithCacheDir(file)); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("error %v, want it to name the folder", err)
	}
}

// Only who imports the other engine pays for cgo, and only who uses scripts or
// expressions for their libraries.
func TestHostDependsOnNeitherCgoNorScripts(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-f",
		"{{.ImportPath}}{{if and .CgoFiles (not .Standard)}} uses cgo{{end}}", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, banned := range []string{"uses cgo", "wasmtime", "cel.dev", "yaml", "jsonschema", "cobra", "wasmsandbox/scripts"} {
		if strings.Contains(string(out), banned) {
			t.Errorf("host depends on %s", banned)
		}
	}
}

func wantModuleError(t *testing.T, err error, kind host.ModuleErrorKind) *host.ModuleError {
	t.Helper()
	e, ok := errors.AsType[*host.ModuleError](err)
	if !ok || !errors.Is(err, kind) {
		t.Fatalf("error %v (%T), want the kind %q", err, err, kind)
	}
	return e
}

// A context that ends just when a module is ready must not make it compile again,
// under those who have it.
func TestAModuleIsCompiledOnceEvenIfItsContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	described := 0
	program := fakeGuest(fakeFuncs{abi.ExportDescribe: {Run: func(c context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		described++
		cancel()
		return replyWith(abi.Reply{Description: &abi.Description{Name: "fake"}})(c, in, stack)
	}}})
	runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return enginetest.NewFake(map[string]enginetest.Program{"a": program}, imports...), nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close(t.Context())
	if _, err := runtime.Load(ctx, "first", []byte("a")); err != nil {
		t.Fatal(err)
	}
	if _, err := runtime.Load(t.Context(), "second", []byte("a")); err != nil {
		t.Fatal(err)
	}
	if described != 1 {
		t.Errorf("described %d times", described)
	}
}

// What the host offers is what the ABI lists.
func TestTheHostOffersTheImportsOfTheABI(t *testing.T) {
	var offered []abi.Function
	_, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			for _, f := range imports {
				if f.Module == abi.ImportModule {
					offered = append(offered, abi.Function{Name: f.Name, Signature: f.Type.String()})
				}
			}
			return enginetest.NewFake(nil, imports...), nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	if want := abi.Imports(); !slices.Equal(offered, want) {
		t.Errorf("the host offers %v, the ABI lists %v", offered, want)
	}
}

func TestAModuleSaysWhyItsStateCantBeCopied(t *testing.T) {
	for guest, want := range map[string][]string{"honest": nil, "table_needed": {"its code uses table.grow"}} {
		module, err := host.Load(t.Context(), guest, hostileWasm(t, guest))
		if err != nil {
			t.Fatal(err)
		}
		if got := module.Volatile(); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", guest, got, want)
		}
	}
	module, err := loadFake(t, fakeGuest(nil))
	if err != nil {
		t.Fatal(err)
	}
	if got := module.Volatile(); len(got) != 1 || !strings.Contains(got[0], "engine") {
		t.Errorf("with an engine that copies nothing: %q", got)
	}
}
