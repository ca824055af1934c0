package metering_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

//go:generate testdata/generate.sh

// The guest in C isn't compared: other releases of its compiler write other code.
func TestGuestsAreWhatTheirSourcesSay(t *testing.T) {
	assembler, err := exec.LookPath("wat2wasm")
	if err != nil {
		t.Skip("wat2wasm isn't installed")
	}
	sources, err := filepath.Glob("testdata/*.wat")
	if err != nil || len(sources) == 0 {
		t.Fatalf("sources %v, %v", sources, err)
	}
	for _, source := range sources {
		committed, err := os.ReadFile(strings.TrimSuffix(source, ".wat") + ".wasm")
		if err != nil {
			t.Error(err)
			continue
		}
		fresh := filepath.Join(t.TempDir(), "fresh.wasm")
		command := exec.Command(assembler, "--debug-names", "--enable-tail-call", source, "-o", fresh)
		if out, err := command.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", source, err, out)
			continue
		}
		if got, err := os.ReadFile(fresh); err != nil || !bytes.Equal(got, committed) {
			t.Errorf("%s: the .wasm file isn't what the source says (%v)", source, err)
		}
	}
}
