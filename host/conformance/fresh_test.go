package conformance_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "record that the guests that are kept are those of their source")

// sourcesOf are the files and folders that the guest of each language is made of.
var sourcesOf = map[string][]string{
	"assemblyscript": {"assembly", "kitchen", "exports.ts", "index.ts", "asconfig.json", "package.json", "package-lock.json"},
	"c":              {"src", "kitchen", "Makefile"},
	"rust":           {"src", "kitchen", "Cargo.toml"},
	"zig":            {"src", "kitchen", "build.zig", "build.zig.zon"},
}

const recordFile = committedDir + "/sources.txt"

// The record has a line for each language: digests of the source and of the guest.
// "make guests-commit" writes both, so that a source that has changed since is told
// of also where its compiler is missing.
func TestEachCommittedGuestIsOfItsSource(t *testing.T) {
	record := &strings.Builder{}
	for _, language := range slices.Sorted(maps.Keys(committed)) {
		wasm, err := os.ReadFile(filepath.Join(committedDir, language+".wasm"))
		if err != nil {
			t.Fatal(err)
		}
		source := digestOfSource(t, filepath.Join("../../guest", language), sourcesOf[language])
		fmt.Fprintf(record, "%s %s %x\n", language, source, sha256.Sum256(wasm))
	}
	if *update {
		if err := os.WriteFile(recordFile, []byte(record.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	recorded, err := os.ReadFile(recordFile)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(record.String()) {
		if !strings.Contains("\n"+string(recorded), "\n"+line) {
			language, _, _ := strings.Cut(line, " ")
			t.Errorf("the kept guest %s/%s.wasm isn't the one that was made of guest/%s as it is now: run \"make guests-commit\"",
				filepath.Base(committedDir), language, language)
		}
	}
}

// digestOfSource covers the names and the content of all files but those of tests and
// those that a build leaves.
func digestOfSource(t *testing.T, root string, paths []string) string {
	t.Helper()
	sum := sha256.New()
	for _, path := range paths {
		err := filepath.WalkDir(filepath.Join(root, path), func(path string, entry fs.DirEntry, err error) error {
			name := ""
			if entry != nil {
				name = entry.Name()
			}
			left := []string{"build", "target", "node_modules", "zig-out", ".zig-cache", "Cargo.lock"}
			switch {
			case err != nil:
				return err
			case slices.Contains(left, name) && entry.IsDir():
				return fs.SkipDir
			case entry.IsDir() || slices.Contains(left, name) || strings.Contains(name, "test"):
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			relative, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(sum, "%s %x\n", filepath.ToSlash(relative), sha256.Sum256(data))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// A change of any source is noticed.
func TestTheDigestOfSourceFollowsItsFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	digest := func() string { return digestOfSource(t, dir, []string{"src"}) }
	write("src/a.c", "1")
	first := digest()
	for _, change := range []struct {
		name, text string
		differs    bool
	}{
		{"src/build/a.o", "left", false}, {"other/a.c", "not named", false}, {"src/a.c", "2", true}, {"src/a.c", "1", false}, {"src/b.c", "", true},
	} {
		write(change.name, change.text)
		if differs := digest() != first; differs != change.differs {
			t.Errorf("%s with %q: differs is %t", change.name, change.text, differs)
		}
	}
}
