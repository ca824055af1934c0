package metered_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

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
		fresh := filepath.Join(t.TempDir(), "fresh.wasm")
		if out, err := exec.Command(assembler, "--debug-names", source, "-o", fresh).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", source, err, out)
			continue
		}
		got, err := os.ReadFile(fresh)
		if want := guest(t, strings.TrimSuffix(filepath.Base(source), ".wat")); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the .wasm file isn't what the source says (%v)", source, err)
		}
	}
}
