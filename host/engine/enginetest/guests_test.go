package enginetest_test

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
		committed, err := os.ReadFile(strings.TrimSuffix(source, ".wat") + ".wasm")
		if err != nil {
			t.Error(err)
			continue
		}
		fresh := filepath.Join(t.TempDir(), "fresh.wasm")
		if out, err := exec.Command(assembler, "--debug-names", source, "-o", fresh).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", source, err, out)
			continue
		}
		if got, err := os.ReadFile(fresh); err != nil || !bytes.Equal(got, committed) {
			t.Errorf("%s: the .wasm file isn't what the source says (%v)", source, err)
		}
	}
}

func TestEveryGuestHasItsSource(t *testing.T) {
	compiled, err := filepath.Glob("testdata/*.wasm")
	if err != nil || len(compiled) == 0 {
		t.Fatalf("guests %v, %v", compiled, err)
	}
	for _, wasm := range compiled {
		if _, err := os.Stat(strings.TrimSuffix(wasm, ".wasm") + ".wat"); err != nil {
			t.Error(err)
		}
	}
}
