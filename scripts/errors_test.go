package scripts_test

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

var update = flag.Bool("update", false, "write the error listings in testdata/errors anew")

// Each archive in testdata/errors has a script, the files it needs, and in
// "want" all that is wrong with it, each with the reason of its step (S1.2, S1.4 to
// S1.6, S1.11, S1.12; of the whole script, S1.8).
func TestAllThatIsWrongIsToldWithItsPlace(t *testing.T) {
	archives, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("there are no archives", err)
	}
	for _, path := range archives {
		path, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { checkListing(t, path) })
	}
}

func checkListing(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	want := -1
	for i, f := range archive.Files {
		if f.Name == "want" {
			want = i
			continue
		}
		files[f.Name] = string(f.Data)
	}
	newProgramFolder(t, files)
	_, err = scripts.Load(t.Context(), ".")
	got := listing(t, err)
	if *update {
		if want < 0 {
			archive.Files = append(archive.Files, txtar.File{Name: "want"})
			want = len(archive.Files) - 1
		}
		archive.Files[want].Data = []byte(got)
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want < 0 {
		t.Fatal("there is no listing; run the test with -update")
	}
	if diff := cmp.Diff(string(archive.Files[want].Data), got); diff != "" {
		t.Errorf("the listing differs (-want +got):\n%s", diff)
	}
}

// listing has the lines of an error, and after those of steps their reasons.
func listing(t *testing.T, err error) string {
	t.Helper()
	all, ok := errors.AsType[*scripts.Error](err)
	if !ok {
		t.Fatalf("got %v", err)
	}
	var b strings.Builder
	for _, p := range all.Problems {
		b.WriteString(p.Error())
		invalid, ok := errors.AsType[*host.InvalidStepError](p)
		if ok != (p.Step >= 0) {
			t.Errorf("%v is of step %d, and a *host.InvalidStepError: %v", p, p.Step, ok)
		}
		if ok {
			if invalid.Index != p.Step || invalid.Reason != p.Reason {
				t.Errorf("%v: %+v", p, invalid)
			}
			b.WriteString("\n    " + string(p.Reason) + ": " + invalid.Error())
		}
		b.WriteString("\n")
	}
	text := b.String()
	guest, _ := guestWasm()
	programs, _ := programs()
	for _, wasm := range [][]byte{guest, programs["tool.wasm"]} {
		text = strings.ReplaceAll(text, fmt.Sprintf("%x", sha256.Sum256(wasm)), "DIGEST")
	}
	return text
}
