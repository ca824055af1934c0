package archive

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// randomTree makes a workspace of all that a tar can bring back: symlinks lead to
// somewhere inside.
func randomTree(t testing.TB, r *rand.Rand) *workspace.Tree {
	tree := workspace.New(workspace.Config{Owner: pick(r, "", "me", "größe"), Now: r.Int64N(2e18)})
	folders := []string{"."}
	for range r.IntN(40) {
		folder := folders[r.IntN(len(folders))]
		name := path.Join(folder, randomName(r))
		if _, err := tree.Lstat(name); err == nil || len(name) > 3000 {
			continue
		}
		switch r.IntN(5) {
		case 0:
			must(t, tree.Mkdir(name, randomMode(r)))
			folders = append(folders, name)
		case 1:
			must(t, tree.Symlink(randomTarget(r, name), name))
			continue
		default:
			must(t, tree.WriteFile(name, bytes.Repeat([]byte(randomName(r)), r.IntN(3000)), randomMode(r)))
		}
		must(t, tree.Chmod(name, randomMode(r)))
		must(t, tree.Chown(name, pick(r, "", "alice", "löwe"), pick(r, "", "users", strings.Repeat("g", 40))))
		if r.IntN(3) == 0 {
			must(t, tree.SetTimes(name, ptr(r.Int64()-r.Int64()), ptr(r.Int64N(4e18))))
		}
	}
	must(t, tree.Chmod(".", randomMode(r)))
	return tree
}

func pick(r *rand.Rand, from ...string) string { return from[r.IntN(len(from))] }

func randomName(r *rand.Rand) string {
	return pick(r, "a", "B", "ü", "日本", " ", "a b", "\n", "a=b", "-", "...", ".x", "C", "ab:c", strings.Repeat("n", 1+r.IntN(255)), fmt.Sprint(r.IntN(100)))
}

func randomMode(r *rand.Rand) fs.FileMode {
	mode := fs.FileMode(r.IntN(0o1000))
	for _, special := range []fs.FileMode{fs.ModeSetuid, fs.ModeSetgid, fs.ModeSticky} {
		if r.IntN(4) == 0 {
			mode |= special
		}
	}
	return mode
}

func randomTarget(r *rand.Rand, name string) string {
	target := strings.Repeat("../", r.IntN(strings.Count(name, "/")+1))
	return target + pick(r, ".", "a", "a/b", "ü/./x", strings.Repeat("t", 150), "nowhere")
}

// S6.86: hydrate(persist(w)) is w, modes, owners, times and symlinks included, and
// persists to the same bytes.
func TestRandomWorkspacesComeBack(t *testing.T) {
	for seed := range uint64(300) {
		want := randomTree(t, rand.New(rand.NewPCG(seed, 1)))
		data := persist(t, want)
		got := randomTree(t, rand.New(rand.NewPCG(seed, 2)))
		must(t, HydrateBytes(context.Background(), got, data, nil))
		wantSame(t, got, want)
		if !bytes.Equal(persist(t, got), data) {
			t.Errorf("seed %d: persisted again it is something else", seed)
		}
		wantUsage(t, got)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// wantUsage compares what a workspace says that it holds with what it holds, with
// files outside of the root.
func wantUsage(t testing.TB, tree *workspace.Tree, outside ...string) {
	t.Helper()
	size, files := int64(0), len(outside)-1
	for _, name := range outside {
		info, err := tree.Stat(name)
		must(t, err)
		size += info.Size
	}
	for _, e := range tree.Snapshot() {
		files++
		size += int64(len(e.Content) + len(e.Target))
	}
	if gotBytes, gotFiles := tree.Usage(); gotBytes != size || gotFiles != files {
		t.Errorf("it says that it holds %d bytes and %d files, and has %d and %d", gotBytes, gotFiles, size, files)
	}
}

// Whatever is kept: what was skipped and is kept again is as it was.
func TestRandomWorkspacesComeBackAroundKeptPaths(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		want := randomTree(t, r)
		var kept []string
		for _, e := range want.Snapshot()[1:] {
			if r.IntN(6) == 0 {
				kept = append(kept, e.Path)
			}
		}
		data := persist(t, want, kept...)
		got := want.Clone()
		for _, e := range want.Snapshot()[1:] {
			if r.IntN(3) == 0 && e.Mode.IsRegular() && !isKept(kept, e.Path) {
				must(t, got.WriteFile(e.Path, []byte("changed"), 0))
			}
		}
		must(t, HydrateBytes(context.Background(), got, data, kept))
		wantSame(t, got, want)
		wantUsage(t, got)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func isKept(kept []string, name string) bool {
	for _, k := range kept {
		if name == k || strings.HasPrefix(name, k+"/") {
			return true
		}
	}
	return false
}
