package conformance_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/conformance"
)

// A guest may pass all checks, and still do what guests of other languages don't: the
// checks don't say which content travels as a blob, nor that nothing else is logged.
func TestGuestsThatPassAndDifferAreFound(t *testing.T) {
	kitchen := conform(t, load(t, "go", buildGo(t, "../../guest/kitchen")))
	for _, change := range []struct {
		about, file, before, after string
		differs                    []string
	}{
		{
			about: "long content is a blob where it needn't be", file: "../../guest/content.go",
			before: "uint64(len(c.inline)) > self.inlineLimit()", after: "uint64(len(c.inline)) > self.inlineLimit()/2",
			differs: []string{"large_results"},
		},
		{
			about: "a line more is logged", file: "../../guest/kitchen/store.go",
			before: "delete(files, req.Path)", after: `delete(files, req.Path); guest.Info("removed")`,
			differs: []string{"state"},
		},
	} {
		t.Run(change.about, func(t *testing.T) {
			overlay := overlayOf(t, change.file, change.before, change.after)
			other := conform(t, load(t, "other", buildGo(t, "../../guest/kitchen", "-overlay="+overlay)))
			var have []string
			for _, d := range conformance.Compare(kitchen, other) {
				have = append(have, d.Feature)
			}
			if diff := cmp.Diff(change.differs, have); diff != "" {
				t.Errorf("the features that differ (-want +got):\n%s", diff)
			}
		})
	}
}

// overlayOf has go build take a file with a change in it.
func overlayOf(t *testing.T, file, before, after string) string {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(source), before) != 1 {
		t.Fatalf("%s doesn't have %q once", file, before)
	}
	path, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	changed, overlay := filepath.Join(dir, "changed.go"), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{path: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{changed: []byte(strings.Replace(string(source), before, after, 1)), overlay: text} {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return overlay
}
