package conformance_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/conformance"
)

// committed are the kitchen-sink guests that are kept compiled, so that they are
// tested where only Go is installed, with the size in bytes that each stays below.
var committed = map[string]int{
	"assemblyscript": 50_000,
	"c":              20_000,
	"rust":           100_000,
	"zig":            60_000,
}

const committedDir = "../../testdata/guests/kitchen"

func TestKitchenSinkGuestsOfAllLanguagesConform(t *testing.T) {
	var reports []*conformance.Report
	for language, maxSize := range committed {
		wasm, err := os.ReadFile(filepath.Join(committedDir, language+".wasm"))
		if err != nil {
			t.Errorf("%s: %v", language, err)
			continue
		}
		if len(wasm) >= maxSize {
			t.Errorf("%s: the guest has %d bytes, %d are the limit", language, len(wasm), maxSize)
		}
		reports = append(reports, conform(t, load(t, language, wasm)))
	}
	reports = append(reports, conform(t, load(t, "go", buildGo(t, "../../guest/kitchen"))), conform(t, loadJS(t)))
	for _, d := range conformance.Compare(reports...) {
		t.Errorf("%s: %s and %s answer with other bytes", d.Feature, reports[d.First].Guest, reports[d.Second].Guest)
	}
}

func TestEachCommittedGuestIsTested(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(committedDir, "*.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, ok := committed[strings.TrimSuffix(filepath.Base(file), ".wasm")]; !ok {
			t.Errorf("%s isn't tested", file)
		}
	}
}

func conform(t *testing.T, module *host.Module) *conformance.Report {
	t.Helper()
	name := module.Name()
	report, err := conformance.Run(t.Context(), module, conformance.Options{})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, row := range report.Rows {
		if row.Status != conformance.Passed {
			t.Errorf("%s: %s: %s\n\t%s", name, row.Feature, row.Status, strings.Join(row.Problems, "\n\t"))
		}
		if row.Checks == 0 {
			t.Errorf("%s: %s has no checks", name, row.Feature)
		}
	}
	return report
}

// A guest that isn't the kitchen-sink guest is tested for what any guest has to do.
func TestAnotherGuestIsTestedForWhatAnyHasToDo(t *testing.T) {
	module := load(t, "status", buildGo(t, "../../guest/testdata/status"))
	report, err := conformance.Run(t.Context(), module, conformance.Options{})
	if err != nil {
		t.Fatal(err)
	}
	general := []string{"describe", "unknown_handler", "unsupported_method", "malformed_calls", "malformed_opens", "close"}
	for _, row := range report.Rows {
		want := conformance.NotTested
		if slices.Contains(general, row.Feature) {
			want = conformance.Passed
		}
		if row.Status != want {
			t.Errorf("%s: %s, want %s: %q", row.Feature, row.Status, want, row.Problems)
		}
	}
	if !report.OK() {
		t.Error("the report isn't OK")
	}
}

// Each feature fails with a guest that says that it is the kitchen-sink guest, and
// isn't.
func TestAGuestThatPretendsFails(t *testing.T) {
	module := load(t, "pretender", buildGo(t, "testdata/pretender"))
	report, err := conformance.Run(t.Context(), module, conformance.Options{Unimplemented: []string{"panics", "describe"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range report.Rows {
		want := conformance.Failed
		switch row.Feature {
		case "describe":
			want = conformance.Stale
		case "panics":
			want = conformance.Unimplemented
		case "unknown_handler", "unsupported_method", "malformed_calls", "malformed_opens", "close":
			want = conformance.Passed
		}
		if row.Status != want {
			t.Errorf("%s: %s, want %s: %q", row.Feature, row.Status, want, row.Problems)
		}
		if row.Status == conformance.Failed && len(row.Problems) == 0 {
			t.Errorf("%s failed without a word", row.Feature)
		}
		if row.Checks == 0 {
			t.Errorf("%s wasn't tested", row.Feature)
		}
	}
	if report.OK() {
		t.Error("the report is OK")
	}
}

func TestUnknownFeaturesAreRefused(t *testing.T) {
	module := load(t, "status", buildGo(t, "../../guest/testdata/status"))
	_, err := conformance.Run(t.Context(), module, conformance.Options{Unimplemented: []string{"panic"}})
	if err == nil || !strings.Contains(err.Error(), `no feature "panic"`) {
		t.Errorf("got %v", err)
	}
}

func TestTheEndOfTheContextEndsTheTests(t *testing.T) {
	module := load(t, "status", buildGo(t, "../../guest/testdata/status"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := conformance.Run(ctx, module, conformance.Options{}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}

func TestGuestsThatPassWithOtherBytesAreFound(t *testing.T) {
	report := func(digest byte, status conformance.Status) *conformance.Report {
		row := conformance.Row{Feature: "results", Status: status}
		row.Digest[0] = digest
		return &conformance.Report{Rows: []conformance.Row{row}}
	}
	reports := []*conformance.Report{
		report(1, conformance.Failed), report(2, conformance.Passed), report(2, conformance.Passed), report(3, conformance.Passed),
	}
	want := []conformance.Divergence{{Feature: "results", First: 1, Second: 3}}
	if got := conformance.Compare(reports...); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func load(t *testing.T, name string, wasm []byte) *host.Module {
	t.Helper()
	module, err := host.Load(t.Context(), name, wasm)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return module
}

func loadJS(t *testing.T) *host.Module {
	t.Helper()
	const file = "../../guest/js/kitchen/kitchen.js"
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	runtime, err := host.DefaultRuntime()
	if err != nil {
		t.Fatal(err)
	}
	module, err := js.Load(t.Context(), runtime, "js", file, source)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// buildGo compiles a guest in Go.
func buildGo(t *testing.T, dir string, flags ...string) []byte {
	t.Helper()
	target := filepath.Join(t.TempDir(), "guest.wasm")
	args := slices.Concat([]string{"build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", target}, flags, []string{"."})
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "CGO_ENABLED=0", "PWD="+dir)
	if output, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build in %s: %v\n%s", dir, err, output)
	}
	wasm, err := os.ReadFile(target)
	if err != nil {
		t.Fatal(err)
	}
	return wasm
}
