package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func withMode(h tar.Header, mode int64) tar.Header {
	h.Mode = mode
	return h
}

// S6.86: of a tar that somebody else made only so much of the modes is taken.
func TestModesOfOthersAreMasked(t *testing.T) {
	tree := workspace.New(workspace.Config{Owner: "me", Now: 7_000_000})
	must(t, tree.Chmod(".", 0o711))
	for _, try := range []struct{ mode, want int64 }{
		{0o644, 0o644}, {0o755, 0o755}, {0o777, 0o755}, {0o7777, 0o755}, {0o666, 0o644}, {0o000, 0o600}, {0o444, 0o644}, {0o555, 0o755}, {0o011, 0o600}, {0o4711, 0o711},
	} {
		h := withMode(file("f", "x"), try.mode)
		h.Uname, h.Gname, h.Uid = "eve", "eves", 1234
		must(t, HydrateBytes(context.Background(), tree, makeTar(t, withMode(dir("./"), 0o1777), withMode(dir("d"), 0o2700), h, link("l", "f")), nil))
		info, err := tree.Stat("f")
		if err != nil || int64(info.Mode) != try.want {
			t.Errorf("%#o became %#o, want %#o: %v", try.mode, info.Mode, try.want, err)
		}
		for path, mode := range map[string]fs.FileMode{".": fs.ModeDir | 0o711, "d": fs.ModeDir | 0o755, "f": fs.FileMode(try.want), "l": fs.ModeSymlink | 0o777} {
			info, err := tree.Lstat(path)
			if err != nil || info.Mode != mode || info.Owner != "me" || info.Group != "me" || info.Modified < 7_000_000 || info.Modified > 8_000_000 {
				t.Errorf("%s: %+v, %v", path, info, err)
			}
		}
	}
}

// S6.86
func TestUnsafeTarsAreNotHydrated(t *testing.T) {
	for name, try := range map[string]struct {
		headers        []tar.Header
		member, reason string
	}{
		"absolute":               {[]tar.Header{file("/a", "")}, "/a", "absolute path"},
		"parent":                 {[]tar.Header{file("./../a", "")}, "./../a", "parent traversal"},
		"drive":                  {[]tar.Header{file("C:a", "")}, "C:a", "windows drive path"},
		"back-slash":             {[]tar.Header{file(`a\b`, "")}, `a\b`, "windows path separator"},
		"root symlink":           {[]tar.Header{link("./", "a")}, "./", "archive root symlink"},
		"hard link":              {[]tar.Header{file("a", ""), odd(tar.TypeLink, "b")}, "b", "hardlink member not allowed"},
		"device":                 {[]tar.Header{odd(tar.TypeBlock, "b")}, "b", "unsupported member type"},
		"FIFO":                   {[]tar.Header{odd(tar.TypeFifo, "b")}, "b", "unsupported member type"},
		"absolute target":        {[]tar.Header{link("l", "/etc/passwd")}, "l", "absolute symlink target not allowed: /etc/passwd"},
		"absolute target inside": {[]tar.Header{link("l", "/workspace/a")}, "l", "absolute symlink target not allowed: /workspace/a"},
		"target outside":         {[]tar.Header{link("l", "..")}, "l", "symlink target escapes archive root: .."},
		"target outside, deeper": {[]tar.Header{link("a/b/l", "../../../x")}, "a/b/l", "symlink target escapes archive root: ../../../x"},
		"target in and out":      {[]tar.Header{link("a/l", "../x/../../workspace/a")}, "a/l", "symlink target escapes archive root: ../x/../../workspace/a"},
		"target with NUL":        {[]tar.Header{{Typeflag: tar.TypeSymlink, Name: "l", Linkname: "a\xff", Format: tar.FormatGNU}}, "l", "member name not allowed"},
		"below a symlink":        {[]tar.Header{dir("d"), link("l", "d"), file("l/x", "")}, "l/x", "archive path descends through symlink: l"},
		"below a later symlink":  {[]tar.Header{file("l/x/y", ""), link("l", "d")}, "l/x/y", "archive path descends through symlink: l"},
		"below a file":           {[]tar.Header{file("f/x", ""), file("f", "")}, "f/x", "archive path descends through non-directory: f"},
		"a symlink below a file": {[]tar.Header{link("f/x", "y"), file("f", "")}, "f/x", "archive path descends through non-directory: f"},
		"duplicate":              {[]tar.Header{file("a", ""), file("./a", "")}, "./a", "duplicate archive path: a"},
		"duplicate symlink":      {[]tar.Header{file("a", ""), link("a", "b")}, "a", "duplicate archive path: a"},
		"no symlink of a folder": {[]tar.Header{dir("a"), link("a", "b")}, "a", "duplicate archive path: a"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := project(t)
			before := tree.Clone()
			err := HydrateBytes(context.Background(), tree, makeTar(t, try.headers...), nil)
			wantMember(t, err, try.member, try.reason)
			var refused *MemberError
			if errors.As(err, &refused) && refused.Path != "/workspace" {
				t.Errorf("the path is %q", refused.Path)
			}
			wantSame(t, tree, before)
		})
	}
}

// S6.86
func TestSymlinksThatStayInside(t *testing.T) {
	tree := newTree(t, workspace.Limits{})
	must(t, HydrateBytes(context.Background(), tree, makeTar(t,
		link("first", "d/f"), link("d/up", ".."), link("d/e/l", "../../other"), link("self", "self"), link("dots", "./d/../d/f"), file("d/f", "x"),
	), nil))
	wantList(t, tree, "", "d/", "d/e/", "d/e/l->../../other", "d/f=x", "d/up->..", "dots->./d/../d/f", "first->d/f", "self->self")
	if got, err := tree.ReadFile("d/up/first"); err != nil || string(got) != "x" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestKeptPathsStay(t *testing.T) {
	tree := project(t)
	must(t, tree.Chmod("src", 0o700))
	h, err := tree.Open("src/deep/ü.txt", workspace.OpenOptions{Read: true, Write: true})
	must(t, err)
	defer h.Close()
	was := h.Info()
	must(t, HydrateBytes(context.Background(), tree, makeTar(t, file("new", "1"), file("src/more", "2"), file("src/deep/added", "3"), file("main", "4")), []string{"./src/deep", "/workspace/empty", "gone"}))
	wantList(t, tree, "src/deep/ü.txt", "empty/", "main=4", "new=1", "src/", "src/deep/", "src/deep/added=3", "src/more=2")
	is, err := tree.Stat("src/deep/ü.txt")
	if err != nil || is != was {
		t.Errorf("%+v, want %+v: %v", is, was, err)
	}
	if info, _ := tree.Stat("empty"); info.Mode != fs.ModeDir|0o700 {
		t.Errorf("%v", info.Mode)
	}
	_, err = h.WriteAt([]byte("through the handle"), 0)
	must(t, err)
	if got, _ := tree.ReadFile("src/deep/ü.txt"); !strings.HasPrefix(string(got), "through") {
		t.Error("the handle is on another file")
	}
	err = HydrateBytes(context.Background(), tree, makeTar(t), []string{"../x"})
	var escape *workspace.EscapeError
	if !errors.As(err, &escape) {
		t.Errorf("%v", err)
	}
}

// S6.86: a file replaces an existing file or link, never an existing folder.
func TestWhatMeetsKeptPaths(t *testing.T) {
	for name, try := range map[string]struct {
		headers        []tar.Header
		member, reason string
	}{
		"a file, a file":      {[]tar.Header{file("run.sh", "new")}, "", ""},
		"a file, a symlink":   {[]tar.Header{file("main", "new")}, "", ""},
		"a symlink, a file":   {[]tar.Header{link("run.sh", "x")}, "", ""},
		"a folder, a folder":  {[]tar.Header{dir("src")}, "", ""},
		"a file, a folder":    {[]tar.Header{file("a", "1"), file("src/deep", "new")}, "src/deep", "destination directory already exists: src/deep"},
		"a symlink, a folder": {[]tar.Header{link("empty", "src")}, "empty", "destination directory already exists: empty"},
		"below a symlink":     {[]tar.Header{file("main/x", "1")}, "main/x", "symlink in parent path: main"},
		"a folder, a symlink": {[]tar.Header{dir("main")}, "main", "symlink in parent path: main"},
		"below a file":        {[]tar.Header{file("run.sh/x", "1")}, "run.sh/x", "archive path descends through non-directory: run.sh"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := project(t)
			before := tree.Clone()
			err := HydrateBytes(context.Background(), tree, makeTar(t, try.headers...), []string{"."})
			if try.member == "" {
				must(t, err)
				return
			}
			wantMember(t, err, try.member, try.reason)
			wantSame(t, tree, before)
		})
	}
}

// All or nothing: not even the time passes.
func TestAFailedHydrateChangesNothing(t *testing.T) {
	whole := persist(t, project(t))
	tree := newTree(t, workspace.Limits{})
	must(t, tree.WriteFile("mine", []byte("x"), 0))
	before, now := tree.Clone(), tree.Now()
	for size := 0; size < len(whole); size += 97 {
		err := HydrateBytes(context.Background(), tree, whole[:size], nil)
		var corrupt *CorruptError
		if !errors.As(err, &corrupt) || corrupt.Path != "/workspace" {
			t.Fatalf("%d of %d bytes: %v", size, len(whole), err)
		}
	}
	for size := 0; size < len(whole)-1024; size += 512 { // between members, too
		if err := HydrateBytes(context.Background(), tree, whole[:size], nil); !errors.Is(err, io.ErrUnexpectedEOF) && size > 0 {
			t.Fatalf("%d of %d bytes: %v", size, len(whole), err)
		}
	}
	failure := errors.New("the wire was cut")
	if err := Hydrate(context.Background(), tree, io.MultiReader(bytes.NewReader(whole), iotest.ErrReader(failure)), nil); !errors.Is(err, failure) {
		t.Errorf("%v", err)
	}
	wantSame(t, tree, before)
	if tree.Now() != now {
		t.Errorf("the time is %d, was %d", tree.Now(), now)
	}
}

func TestHydrateIsBoundByTheWorkspace(t *testing.T) {
	for name, try := range map[string]struct {
		limits workspace.Limits
		data   []byte
	}{
		"bytes":           {workspace.Limits{Bytes: 1000}, makeTar(t, file("a", strings.Repeat("x", 600)), file("b", strings.Repeat("x", 600)))},
		"files":           {workspace.Limits{Files: 3}, makeTar(t, file("a/b/c/d", ""))},
		"targets":         {workspace.Limits{Bytes: 30}, makeTar(t, link("l", strings.Repeat("x", 31)))},
		"with kept":       {workspace.Limits{Bytes: 1000}, makeTar(t, file("a", strings.Repeat("x", 950)))},
		"with kept files": {workspace.Limits{Files: 3}, makeTar(t, dir("a/b/c"))},
		"a bomb":          {workspace.Limits{Bytes: 1000}, compressors["gzip"](t, makeBomb(t, 1<<20))},
	} {
		tree := newTree(t, try.limits)
		must(t, tree.WriteFile("kept", make([]byte, 10), 0))
		if name == "with kept" {
			must(t, tree.WriteFile("kept", make([]byte, 100), 0))
		}
		before := tree.Clone()
		err := HydrateBytes(context.Background(), tree, try.data, []string{"kept"})
		var limit *LimitError
		if !errors.As(err, &limit) || !errors.Is(err, workspace.ENOSPC) || limit.Path != "/workspace" {
			t.Errorf("%s: %v", name, err)
		}
		wantSame(t, tree, before)
	}
	tree := newTree(t, workspace.Limits{Bytes: 1000})
	must(t, tree.WriteFile("old", make([]byte, 900), 0))
	must(t, HydrateBytes(context.Background(), tree, makeTar(t, file("new", strings.Repeat("x", 900))), nil))
	wantList(t, tree, "", "new="+strings.Repeat("x", 900))
}

func TestAReaderWithoutEndIsBound(t *testing.T) {
	tree := newTree(t, workspace.Limits{Bytes: 1000, Files: 10})
	err := Hydrate(context.Background(), tree, endless{}, nil)
	var limit *LimitError
	if !errors.As(err, &limit) || limit.Reason != ReasonStreamBytes {
		t.Errorf("%v", err)
	}
}

// One who says that a tar is ours can set modes, owners and times, and nothing else.
func TestAForgedMarkDoesntLiftTheRules(t *testing.T) {
	forged := *mark(1)
	for member, h := range map[string]tar.Header{"l": link("l", "/etc"), "../x": file("../x", ""), "h": odd(tar.TypeLink, "h")} {
		tree := newTree(t, workspace.Limits{})
		err := HydrateBytes(context.Background(), tree, makeTar(t, forged, h), nil)
		var refused *MemberError
		if !errors.As(err, &refused) || refused.Member != member {
			t.Errorf("%s: %v", member, err)
		}
	}
	tree := newTree(t, workspace.Limits{})
	must(t, HydrateBytes(context.Background(), tree, makeTar(t, withMode(file("f", ""), 0o4777), forged), nil))
	if info, _ := tree.Stat("f"); info.Mode != 0o755 {
		t.Errorf("a mark that isn't first counts: %v", info.Mode)
	}
}

func TestAnEmptyTarEmptiesTheRoot(t *testing.T) {
	tree := project(t)
	must(t, HydrateBytes(context.Background(), tree, makeTar(t), nil))
	wantList(t, tree, "")
	if bytes, files := tree.Usage(); bytes != 0 || files != 0 {
		t.Errorf("it holds %d bytes and %d files", bytes, files)
	}
	must(t, HydrateBytes(context.Background(), tree, persist(t, tree), nil))
	wantList(t, tree, "")
}

func TestContentsAreIndependentOfEachOther(t *testing.T) {
	data := makeTar(t, file("a", strings.Repeat("a", 40_000)), file("b", strings.Repeat("b", 40_000)))
	tree := newTree(t, workspace.Limits{})
	was := bytes.Clone(data)
	must(t, HydrateBytes(context.Background(), tree, data, nil))
	other := newTree(t, workspace.Limits{})
	must(t, HydrateBytes(context.Background(), other, data, nil))
	h, err := tree.Open("a", workspace.OpenOptions{Write: true, Append: true})
	must(t, err)
	_, err = h.WriteAt(bytes.Repeat([]byte("!"), 10_000), 0)
	must(t, err)
	must(t, h.Close())
	if !bytes.Equal(data, was) {
		t.Error("the archive has changed")
	}
	wantList(t, other, "", "a="+strings.Repeat("a", 40_000), "b="+strings.Repeat("b", 40_000))
}

// S6.86
func TestWhatErrorsOfHydrateSay(t *testing.T) {
	err := HydrateBytes(context.Background(), newTree(t, workspace.Limits{}), makeTar(t, link("l", "/etc")), nil)
	var refused *MemberError
	if !errors.As(err, &refused) {
		t.Fatal(err)
	}
	want := map[string]any{"path": "/workspace", "member": "l", "reason": "absolute symlink target not allowed: /etc"}
	if got := refused.Context(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if text := `unsafe archive member "l": absolute symlink target not allowed: "/etc"`; err.Error() != text {
		t.Errorf("%q, want %q", err, text)
	}
	if !slices.Contains(list(project(t)), "main->src/main.go") {
		t.Error("the project has changed")
	}
}

func TestArchivesAreSafeForConcurrentUse(t *testing.T) {
	tree := project(t)
	data := persist(t, tree)
	foreign := makeTar(t, file("d/a", strings.Repeat("x", 40_000)), link("l", "d"))
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 10 {
				must(t, HydrateBytes(context.Background(), tree, [][]byte{data, foreign}[i%2], nil))
				_ = Extract(context.Background(), tree, ExtractOptions{Path: "x/y.tar", Data: foreign}) // others can be in the way
				if got := list(newHydrated(t, persist(t, tree, "x"))); len(got) < 3 {
					t.Errorf("it has %q", got)
				}
			}
		})
	}
	wg.Wait()
	wantUsage(t, tree)
}

func newHydrated(t testing.TB, data []byte) *workspace.Tree {
	t.Helper()
	tree := newTree(t, workspace.Limits{})
	must(t, HydrateBytes(context.Background(), tree, data, nil))
	return tree
}

// A tar can have times that no workspace can: they are the nearest ones.
func TestTimesOutOfReachAreTheNearest(t *testing.T) {
	first, last := time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)
	for _, try := range []struct {
		time time.Time
		want int64
	}{
		{last, math.MaxInt64}, {last.Add(1), math.MaxInt64}, {time.Unix(1e17, 0), math.MaxInt64},
		{first, math.MinInt64}, {first.Add(-1), math.MinInt64}, {time.Unix(-1e17, 0), math.MinInt64},
		{last.Add(-1), math.MaxInt64 - 1}, {first.Add(1), math.MinInt64 + 1},
	} {
		header := file("a", "")
		header.ModTime, header.AccessTime, header.Format = try.time, try.time, tar.FormatPAX
		tree := newTree(t, workspace.Limits{})
		must(t, HydrateBytes(context.Background(), tree, makeTar(t, *mark(1), header), nil))
		info, err := tree.Stat("a")
		must(t, err)
		if info.Modified != try.want || info.Accessed != try.want {
			t.Errorf("%v is %d and %d, want %d", try.time, info.Modified, info.Accessed, try.want)
		}
		if now := tree.Now(); try.want < 0 && now > int64(time.Second) {
			t.Errorf("%v moves the time to %d", try.time, now)
		}
	}
}
