package host_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

//go:generate ../testdata/hostile/generate.sh

// hostileSources are the names of the guests in testdata/hostile.
func hostileSources(t *testing.T, extension string) []string {
	t.Helper()
	files, err := filepath.Glob("../testdata/hostile/*" + extension)
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	for i, file := range files {
		files[i] = strings.TrimSuffix(filepath.Base(file), extension)
	}
	return files
}

func TestEveryHostileGuestIsInATable(t *testing.T) {
	used := map[string]bool{}
	add := func(guest string) {
		if used[guest] {
			t.Errorf("%s is in two tables", guest)
		}
		used[guest] = true
	}
	for _, cases := range [][]hostileCase{hostileReplies, hostileVerdicts, hostileBeginnings, hostileWork, endlessWork, hostileEndings} {
		for _, c := range cases {
			add(c.guest)
		}
	}
	for _, c := range refusedGuests {
		add(c.guest)
	}
	for _, guest := range slices.Concat(harmlessGuests, statefulGuests) {
		add(guest)
	}
	sources := hostileSources(t, ".wat")
	if want := slices.Sorted(maps.Keys(used)); !slices.Equal(sources, want) {
		for _, guest := range sources {
			if !used[guest] {
				t.Errorf("%s is in no table", guest)
			}
		}
		t.Errorf("%d guests, %d in tables", len(sources), len(want))
	}
	if compiled := hostileSources(t, ".wasm"); !slices.Equal(compiled, sources) {
		t.Errorf("%d guests are compiled, %d have a source", len(compiled), len(sources))
	}
}

func TestHostileGuestsAreWhatTheirSourcesSay(t *testing.T) {
	if _, err := exec.LookPath("wat2wasm"); err != nil {
		t.Skip("wat2wasm isn't installed")
	}
	fresh := t.TempDir()
	if out, err := exec.Command("../testdata/hostile/generate.sh", fresh).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, guest := range hostileSources(t, ".wasm") {
		if got, err := os.ReadFile(filepath.Join(fresh, guest+".wasm")); err != nil || !bytes.Equal(got, hostileWasm(t, guest)) {
			t.Errorf("%s.wasm isn't what the source says (%v)", guest, err)
		}
	}
}
