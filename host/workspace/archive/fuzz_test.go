package archive

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/ulikunitz/xz"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// fuzzLimits keep a single input from taking seconds.
var fuzzLimits = workspace.Limits{Bytes: 1 << 20, Files: 200}

// FuzzExtract unpacks anything, as a tar of each compression and as a zip.
func FuzzExtract(f *testing.F) {
	for name, compress := range compressors {
		if name != "bzip2" { // which needs a program
			f.Add(compress(f, sampleTar(f)), false)
		}
	}
	f.Add(append(gnuSparse("s", 1000, []sparseRun{{500, 3}}, "mid"), make([]byte, 1024)...), false)
	f.Add(xzStream(20), false)
	f.Add(makeZip(f, zipFile("d/", ""), zipFile("d/a", "some content, some content"), zipFile("b", "b")), true)
	f.Fuzz(func(t *testing.T, data []byte, isZip bool) {
		tree := fuzzTree(t)
		before := tree.Clone()
		o := ExtractOptions{Path: "in/x.tar", Data: bytes.Clone(data)}
		if isZip {
			o.Path = "in/x.zip"
		}
		err := Extract(context.Background(), tree, o)
		if !bytes.Equal(o.Data, data) {
			t.Error("the archive has changed")
		}
		wantTypedError(t, err)
		wantUsage(t, tree, "/outside/f")
		wantOutside(t, before, tree)
	})
}

// FuzzHydrate hydrates with anything.
func FuzzHydrate(f *testing.F) {
	small := project(f)
	must(f, small.WriteFile("src/deep/ü.txt", []byte("small"), 0))
	for name, compress := range compressors {
		if name != "bzip2" {
			f.Add(compress(f, persist(f, small)))
		}
	}
	f.Add(makeTar(f, dir("d"), file("d/a", "x"), link("l", "d")))
	f.Fuzz(func(t *testing.T, data []byte) {
		tree := fuzzTree(t)
		before := tree.Clone()
		err := Hydrate(context.Background(), tree, bytes.NewReader(data), []string{"in/kept"})
		wantTypedError(t, err)
		wantUsage(t, tree, "/outside/f")
		other := before.Clone()
		if otherErr := HydrateBytes(context.Background(), other, bytes.Clone(data), []string{"in/kept"}); (otherErr == nil) != (err == nil) {
			t.Errorf("as a stream %v, as bytes %v", err, otherErr)
		}
		wantSame(t, other, tree)
		if err != nil {
			wantSame(t, tree, before)
			return
		}
		again := newTree(t, fuzzLimits)
		must(t, HydrateBytes(context.Background(), again, persist(t, tree), nil))
		wantSame(t, again, tree)
	})
}

// fuzzTree makes a workspace with something inside and something outside.
func fuzzTree(t testing.TB) *workspace.Tree {
	policy, err := workspace.NewPolicy("/w", workspace.Grant{Path: "/outside"})
	must(t, err)
	tree := workspace.New(workspace.Config{Policy: policy, Limits: fuzzLimits})
	must(t, tree.MkdirAll("in/kept", 0))
	must(t, tree.WriteFile("in/kept/f", []byte("kept"), 0))
	must(t, tree.WriteFile("/outside/f", []byte("outside"), 0))
	must(t, tree.Symlink("/outside", "in/l"))
	must(t, tree.WriteFile("top", []byte("top"), 0))
	return tree
}

// wantTypedError accepts the errors that the package promises.
func wantTypedError(t *testing.T, err error) {
	t.Helper()
	var member *MemberError
	var limit *LimitError
	var corrupt *CorruptError
	var path *fs.PathError
	switch {
	case err == nil, errors.As(err, &member), errors.As(err, &limit), errors.As(err, &corrupt):
	case errors.As(err, &path) && errors.Is(err, workspace.ENOSPC): // the archive itself
	default:
		t.Errorf("an error of the type %T: %v", err, err)
	}
}

// wantOutside checks that all is as it was that isn't in the folder "in".
func wantOutside(t *testing.T, before, after *workspace.Tree) {
	t.Helper()
	content := func(tree *workspace.Tree) string {
		got, err := tree.ReadFile("/outside/f")
		must(t, err)
		infos, err := tree.ReadDir("/outside")
		must(t, err)
		lines := []string{string(got)}
		for _, info := range infos {
			lines = append(lines, info.Name)
		}
		return strings.Join(append(lines, list(tree, "in")...), "\n")
	}
	if was, is := content(before), content(after); is != was {
		t.Errorf("it was\n%s\nand is\n%s", was, is)
	}
}

// FuzzXZ compares what is read of anything with what another reader reads of it.
func FuzzXZ(f *testing.F) {
	f.Add(compressors["xz"](f, sampleTar(f)))
	f.Add(append(xzStream(3), xzStream(30)...))
	f.Fuzz(func(t *testing.T, data []byte) {
		got, err := io.ReadAll(io.LimitReader(newXZ(t.Context(), data), 1<<20))
		if err != nil || len(got) == 1<<20 {
			return
		}
		r, err := xz.NewReader(bytes.NewReader(data))
		must(t, err)
		want, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes, want %d: %v", len(got), len(want), err)
		}
	})
}
