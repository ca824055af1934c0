package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// project makes a workspace that has something of everything.
func project(t testing.TB) *workspace.Tree {
	t.Helper()
	tree := newTree(t, workspace.Limits{})
	must(t, tree.MkdirAll("src/deep", 0))
	must(t, tree.WriteFile("src/main.go", []byte("package main\n"), 0))
	must(t, tree.WriteFile("src/deep/ü.txt", bytes.Repeat([]byte("x"), 100_000), 0o600))
	must(t, tree.WriteFile("run.sh", []byte("#!/bin/sh\n"), 0o755))
	must(t, tree.Link("run.sh", "again.sh"))
	must(t, tree.Mkdir("empty", 0o700))
	must(t, tree.WriteFile("none", nil, 0))
	must(t, tree.Symlink("src/main.go", "main"))
	must(t, tree.Symlink("../run.sh", "src/run"))
	must(t, tree.Chown("run.sh", "alice", "users"))
	must(t, tree.Chmod("src", fs.ModeSetgid|fs.ModeSticky|0o775))
	return tree
}

func persist(t testing.TB, tree *workspace.Tree, skip ...string) []byte {
	t.Helper()
	saved, err := Persist(tree, skip)
	must(t, err)
	return whole(t, saved)
}

func whole(t testing.TB, saved *Tar) []byte {
	t.Helper()
	var buffer bytes.Buffer
	_, err := saved.WriteTo(&buffer)
	must(t, err)
	return buffer.Bytes()
}

// readTarNames lists the members of a tar with Go's own reader.
func readTarNames(t testing.TB, data []byte) (names []string) {
	t.Helper()
	r := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return names
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeXGlobalHeader {
			names = append(names, h.Name)
		}
	}
}

// S6.86
func TestPersistMakesAPortableTar(t *testing.T) {
	tree := project(t)
	data := persist(t, tree)
	want := []string{"./", "./again.sh", "./empty/", "./main", "./none", "./run.sh", "./src/", "./src/deep/", "./src/deep/ü.txt", "./src/main.go", "./src/run"}
	if got := readTarNames(t, data); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if !bytes.Equal(data, persist(t, tree)) || !bytes.Equal(data, persist(t, project(t))) {
		t.Error("the same workspace gave other bytes")
	}
	r := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		must(t, err)
		if h.Uid != 0 || h.Gid != 0 || !h.ModTime.Before(time.Unix(1, 0)) || h.Typeflag == tar.TypeLink {
			t.Errorf("%s: %+v", h.Name, h)
		}
		if h.Name == "./run.sh" && (h.Uname != "alice" || h.Gname != "users" || h.Mode != 0o755 || h.Size != 10) {
			t.Errorf("%+v", h)
		}
		if h.Name == "./src/run" && (h.Typeflag != tar.TypeSymlink || h.Linkname != "../run.sh") {
			t.Errorf("%+v", h)
		}
	}
}

// S5.28, S6.86
func TestSkippedPathsAreLeftOut(t *testing.T) {
	want := []string{"./", "./empty/", "./main", "./none", "./run.sh", "./src/", "./src/main.go", "./src/run"}
	if got := readTarNames(t, persist(t, project(t), "src/deep", "./again.sh", "/workspace/empty/x", "not/there")); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	_, err := Persist(project(t), []string{"../x"})
	var escape *workspace.EscapeError
	if !errors.As(err, &escape) {
		t.Errorf("%v", err)
	}
}

func TestATarCanBeReadInAllWays(t *testing.T) {
	saved, err := Persist(project(t), nil)
	must(t, err)
	var buffer bytes.Buffer
	n, err := saved.WriteTo(&buffer)
	want := bytes.Clone(buffer.Bytes())
	if n != int64(len(want)) || err != nil || n%tarBlock != 0 {
		t.Errorf("WriteTo: %d, %v", n, err)
	}
	r := saved.Reader()
	if err := iotest.TestReader(struct{ io.Reader }{r}, want); err != nil {
		t.Error(err)
	}
	must(t, r.Close())
	buffer.Reset()
	if n, err := io.Copy(&buffer, saved.Reader()); n != int64(len(want)) || err != nil || !bytes.Equal(buffer.Bytes(), want) {
		t.Errorf("Reader: %d, %v", n, err)
	}
	failure := errors.New("full")
	if n, err := saved.WriteTo(failingWriter{failure}); n != 0 || err != failure {
		t.Errorf("WriteTo: %d, %v", n, err)
	}
}

func TestContentsOfAllSizesComeOutInPieces(t *testing.T) {
	tree := newTree(t, workspace.Limits{})
	want := map[string][]byte{}
	for _, size := range []int{0, 1, tarBlock - 1, tarBlock, tarBlock + 1, copyBelow - 1, copyBelow, copyBelow + 1, partBuffer, partBuffer + 1, longestPart, 2*longestPart + 1} {
		content := bytes.Repeat([]byte{byte(len(want)) + 1}, size)
		want[fmt.Sprintf("./%08d", size)] = content
		must(t, tree.WriteFile(fmt.Sprintf("%08d", size), content, 0))
	}
	saved, err := Persist(tree, nil)
	must(t, err)
	var buffer bytes.Buffer
	longest := 0
	_, err = saved.WriteTo(writerFunc(func(p []byte) (int, error) {
		longest = max(longest, len(p))
		return buffer.Write(p)
	}))
	must(t, err)
	got := goHydrate(t, buffer.Bytes())
	for name, content := range want {
		if !bytes.Equal(got[name], content) {
			t.Errorf("%s has %d bytes", name, len(got[name]))
		}
	}
	if longest != longestPart {
		t.Errorf("the longest piece has %d bytes", longest)
	}
	if err := iotest.TestReader(struct{ io.Reader }{saved.Reader()}, buffer.Bytes()); err != nil {
		t.Error(err)
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func TestAnOwnerThatNoTarCanHaveIsRefused(t *testing.T) {
	tree := newTree(t, workspace.Limits{})
	must(t, tree.WriteFile("a", nil, 0))
	must(t, tree.Chown("a", "x\x00y", ""))
	saved, err := Persist(tree, nil)
	must(t, err)
	_, err = saved.WriteTo(io.Discard)
	wantMember(t, err, "a", string(ReasonName))
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestATarDoesntChangeWithTheWorkspace(t *testing.T) {
	tree := project(t)
	saved, err := Persist(tree, nil)
	must(t, err)
	before := whole(t, saved)
	h, err := tree.Open("src/deep/ü.txt", workspace.OpenOptions{Write: true})
	must(t, err)
	_, err = h.WriteAt([]byte("changed"), 0)
	must(t, err)
	must(t, h.Close())
	if !bytes.Equal(whole(t, saved), before) {
		t.Error("it changed")
	}
}

// describe tells all of a workspace but inodes and links.
func describe(tree *workspace.Tree) []string {
	var lines []string
	for _, e := range tree.Snapshot() {
		lines = append(lines, fmt.Sprintf("%s %v %s:%s %d %d ->%s %.20q %d", e.Path, e.Mode, e.Owner, e.Group, e.Modified, e.Accessed, e.Target, e.Content, len(e.Content)))
	}
	return lines
}

func wantSame(t testing.TB, got, want *workspace.Tree) {
	t.Helper()
	a, b := describe(got), describe(want)
	if !slices.Equal(a, b) {
		t.Errorf("the workspace is\n\t%s\nwant\n\t%s", strings.Join(a, "\n\t"), strings.Join(b, "\n\t"))
	}
}

// S6.86: what was persisted comes back as it was.
func TestHydrateUndoesPersist(t *testing.T) {
	want := project(t)
	must(t, want.SetTimes("none", ptr(int64(-5_000_000_001)), ptr(int64(1_700_000_000_123_456_789))))
	for name, compress := range compressors {
		t.Run(name, func(t *testing.T) {
			data := compress(t, persist(t, want))
			got := newTree(t, workspace.Limits{})
			must(t, got.MkdirAll("old/folder", 0))
			must(t, got.WriteFile("run.sh", []byte("old"), 0))
			must(t, Hydrate(context.Background(), got, iotest.HalfReader(bytes.NewReader(data)), nil))
			wantSame(t, got, want)
			if got.Now() < 1_700_000_000_123_456_789 {
				t.Errorf("the time is %d", got.Now())
			}
			if !bytes.Equal(persist(t, got), persist(t, want)) {
				t.Error("persisted again it is something else")
			}
		})
	}
}

func ptr[T any](v T) *T { return &v }
