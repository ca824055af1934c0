package workspace

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
)

// treeAndStage makes a tree and a stage of it with some files each: "d/" is a folder, "l->t" a
// symlink, anything else a file.
func treeAndStage(t *testing.T, limits Limits, has, gets []string) (*Tree, *Stage) {
	t.Helper()
	tree := New(Config{Limits: limits})
	if err := staged(t, tree, has).Commit(); err != nil {
		t.Fatal(err)
	}
	return tree, staged(t, tree, gets)
}

func staged(t *testing.T, tree *Tree, paths []string) *Stage {
	t.Helper()
	stage := tree.Stage()
	for _, p := range paths {
		if err := stage.Put(entryOf(p)); err != nil {
			t.Fatal(err)
		}
	}
	return stage
}

func entryOf(p string) Entry {
	if p[len(p)-1] == '/' {
		return Entry{Path: p[:len(p)-1], Info: Info{Mode: fs.ModeDir | 0o700, Modified: 5, Accessed: 6}}
	}
	for i := range len(p) - 1 {
		if p[i:i+2] == "->" {
			return Entry{Path: p[:i], Info: Info{Mode: fs.ModeSymlink | fs.ModePerm, Target: p[i+2:]}}
		}
	}
	return Entry{Path: p, Info: Info{Mode: 0o640, Owner: "alice", Modified: 7}, Content: []byte(p)}
}

func paths(t *Tree) (list []string) {
	for _, e := range t.Snapshot()[1:] {
		switch {
		case e.Mode.IsDir():
			list = append(list, e.Path+"/")
		case e.Mode&fs.ModeSymlink != 0:
			list = append(list, e.Path+"->"+e.Target)
		default:
			list = append(list, e.Path)
		}
	}
	return list
}

// checkUsage compares what the tree counted with what there is, inodes included.
func checkUsage(t *testing.T, tree *Tree) {
	t.Helper()
	size, files, inodes := int64(0), -1, map[uint64]bool{}
	for _, e := range tree.Snapshot() {
		files++
		size += int64(len(e.Content) + len(e.Target))
		if e.Links == 1 && inodes[e.Inode] {
			t.Errorf("%s has the inode of another one", e.Path)
		}
		inodes[e.Inode] = true
	}
	if gotSize, gotFiles := tree.Usage(); gotSize != size || gotFiles != files {
		t.Errorf("it counted %d bytes and %d files, and has %d and %d", gotSize, gotFiles, size, files)
	}
}

func TestCommitReplacesAllButWhatIsKept(t *testing.T) {
	for name, try := range map[string]struct {
		has, gets, keep, want []string
		cause                 Errno
		at                    string
	}{
		"all is replaced":            {has: []string{"a", "d/b", "l->a"}, gets: []string{"c", "d/e", "a->c"}, want: []string{"a->c", "c", "d/", "d/e"}},
		"by nothing":                 {has: []string{"a", "d/b"}, gets: nil, want: nil},
		"but for what is kept":       {has: []string{"a", "d/b", "d/c/x", "e"}, gets: []string{"f"}, keep: []string{"d/c", "e", "no"}, want: []string{"d/", "d/c/", "d/c/x", "e", "f"}},
		"all is kept":                {has: []string{"a", "d/b"}, gets: []string{"d/c"}, keep: []string{"."}, want: []string{"a", "d/", "d/b", "d/c"}},
		"kept files are replaced":    {has: []string{"a", "l->a"}, gets: []string{"a->b", "l"}, keep: []string{"a", "l"}, want: []string{"a->b", "l"}},
		"above a path that is kept":  {has: []string{"d/c/x", "d/y"}, gets: []string{"d/c/z", "d/y/q"}, keep: []string{"d/c"}, want: []string{"d/", "d/c/", "d/c/x", "d/c/z", "d/y/", "d/y/q"}},
		"a file onto a kept folder":  {has: []string{"a", "d/b"}, gets: []string{"d"}, keep: []string{"d"}, cause: EISDIR, at: "d"},
		"a file onto one above":      {has: []string{"a", "d/b/c"}, gets: []string{"d"}, keep: []string{"d/b"}, cause: EISDIR, at: "d"},
		"a folder onto a kept file":  {has: []string{"a", "b"}, gets: []string{"a/x"}, keep: []string{"a"}, cause: ENOTDIR, at: "a"},
		"a folder onto a kept link":  {has: []string{"l->d", "d/"}, gets: []string{"l/"}, keep: []string{"."}, cause: ENOTDIR, at: "l"},
		"a name that begins as kept": {has: []string{"ab", "a/x"}, gets: []string{"c"}, keep: []string{"a"}, want: []string{"a/", "a/x", "c"}},
	} {
		t.Run(name, func(t *testing.T) {
			tree, stage := treeAndStage(t, Limits{}, try.has, try.gets)
			before, now := paths(tree), tree.Now()
			err := stage.Commit(try.keep...)
			if try.cause == 0 {
				if err != nil {
					t.Fatal(err)
				}
				if got := paths(tree); !slices.Equal(got, try.want) {
					t.Errorf("%q, want %q", got, try.want)
				}
				checkUsage(t, tree)
				return
			}
			var path *fs.PathError
			if !errors.As(err, &path) || path.Path != try.at || !errors.Is(err, try.cause) {
				t.Errorf("%v, want %v at %s", err, try.cause, try.at)
			}
			if got := paths(tree); !slices.Equal(got, before) || tree.Now() != now {
				t.Errorf("after a failure: %q, want %q", got, before)
			}
			checkUsage(t, tree)
		})
	}
}

func TestAttributesAreAsTheyWerePut(t *testing.T) {
	tree, stage := treeAndStage(t, Limits{}, []string{"x"}, []string{"d/e/f", "d/", "l->d"})
	if err := stage.Put(Entry{Path: ".", Info: Info{Mode: fs.ModeDir | 0o711, Owner: "bob", Modified: 1, Accessed: 2}}); err != nil {
		t.Fatal(err)
	}
	now := stage.Now()
	if now <= tree.Now() {
		t.Errorf("the stage is of the time %d, the tree of %d", now, tree.Now())
	}
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []Info{
		{Name: "/", Mode: fs.ModeDir | 0o711, Owner: "bob", Group: "root", Modified: 1, Accessed: 2},
		{Name: "d", Mode: fs.ModeDir | 0o700, Owner: "root", Group: "root", Modified: 5, Accessed: 6},
		{Name: "d/e", Mode: fs.ModeDir | DefaultDirMode, Owner: "root", Group: "root", Modified: now, Accessed: now},
		{Name: "d/e/f", Mode: 0o640, Owner: "alice", Group: "root", Modified: 7},
		{Name: "l", Mode: fs.ModeSymlink | 0o777, Owner: "root", Group: "root", Target: "d"},
	} {
		name := want.Name
		if name == "/" {
			name = "."
		}
		got, err := tree.Lstat(name)
		want.Name, want.Inode, want.Links, want.Size = got.Name, got.Inode, 1, got.Size
		if name == "." {
			want.Links = got.Links
		}
		if name != "." && (got.Modified == 0 && name != "l") || err != nil || got != want {
			t.Errorf("%s: %+v, want %+v: %v", name, got, want, err)
		}
	}
	checkUsage(t, tree)
}

func TestTimeGoesOnFromTheLatest(t *testing.T) {
	tree := New(Config{Now: 1000})
	stage := tree.Stage()
	if err := stage.Put(Entry{Path: "a", Info: Info{Mode: 0o644, Modified: 5_000_000}}); err != nil {
		t.Fatal(err)
	}
	if tree.Now() != 1000 {
		t.Errorf("it is %d before", tree.Now())
	}
	if err := stage.Commit(); err != nil || tree.Now() < 5_000_000 {
		t.Errorf("it is %d: %v", tree.Now(), err)
	}
}

func TestWhatCantBePut(t *testing.T) {
	for name, try := range map[string]struct {
		entry Entry
		want  Errno
	}{
		"twice":            {entryOf("a"), EEXIST},
		"a folder onto it": {entryOf("a/"), EEXIST},
		"below a file":     {entryOf("a/b"), ENOTDIR},
		"below a symlink":  {entryOf("l/b"), ENOTDIR},
		"a file onto a d":  {entryOf("d"), EEXIST},
		"the root a file":  {entryOf("."), ENOTDIR},
		"absolute":         {entryOf("/a"), EINVAL},
		"outside":          {entryOf("../a"), EINVAL},
		"inside out":       {entryOf("d/../../a"), EINVAL},
		"an empty name":    {entryOf("d//x"), EINVAL},
		"NUL":              {entryOf("a\x00"), EINVAL},
		"not UTF-8":        {entryOf("\xff"), EILSEQ},
		"a device":         {Entry{Path: "n", Info: Info{Mode: fs.ModeDevice}}, EPERM},
		"no target":        {Entry{Path: "n", Info: Info{Mode: fs.ModeSymlink}}, ENOENT},
		"a bad target":     {Entry{Path: "n", Info: Info{Mode: fs.ModeSymlink, Target: "\x00"}}, EINVAL},
		"a long name":      {entryOf(strings.Repeat("n", 256)), ENAMETOOLONG},
		"a long path":      {entryOf(strings.Repeat("n/", 2050) + "n"), ENAMETOOLONG},
		"too many bytes":   {Entry{Path: "n", Info: Info{Mode: 0o644}, Content: make([]byte, 101)}, ENOSPC},
		"too many files":   {entryOf("d/1/2/3/4/5/6/7/8/9/0"), 0},
	} {
		_, stage := treeAndStage(t, Limits{Bytes: 100, Files: 12}, []string{"x"}, []string{"a", "l->a", "d/"})
		err := stage.Put(try.entry)
		if try.want == 0 {
			var limit *LimitError
			if !errors.As(err, &limit) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, try.want) {
			t.Errorf("%s: %v, want %v", name, err, try.want)
		}
	}
}

func TestCommitKeepsToTheLimits(t *testing.T) {
	tree, stage := treeAndStage(t, Limits{Bytes: 10, Files: 3}, []string{"12345", "old"}, []string{"12345678"})
	var limit *LimitError
	if err := stage.Commit("12345"); !errors.As(err, &limit) || limit.Limit != "bytes" || limit.Actual != 13 {
		t.Errorf("%v", err)
	}
	checkUsage(t, tree)
	if err := stage.Commit(); err != nil {
		t.Errorf("with room: %v", err)
	}
	checkUsage(t, tree)
	_, stage = treeAndStage(t, Limits{Files: 3}, []string{"a", "b"}, []string{"c", "d"})
	if err := stage.Commit("."); !errors.As(err, &limit) || limit.Limit != "files" || limit.Actual != 4 {
		t.Errorf("%v", err)
	}
}

// What is open stays, and is counted until it is closed.
func TestOpenFilesOutliveACommit(t *testing.T) {
	tree, stage := treeAndStage(t, Limits{Bytes: 10}, []string{"12345", "d/"}, []string{"1234567"})
	if err := tree.Link("12345", "d/again"); err != nil {
		t.Fatal(err)
	}
	h, err := tree.Open("12345", OpenOptions{Read: true, Write: true})
	if err != nil {
		t.Fatal(err)
	}
	root, err := tree.Open(".", OpenOptions{Read: true})
	if err != nil {
		t.Fatal(err)
	}
	folder, err := tree.Open("d", OpenOptions{Read: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit(); !errors.Is(err, ENOSPC) {
		t.Fatalf("there is no room while it is open: %v", err)
	}
	stage = staged(t, tree, []string{"123"})
	if err := stage.Commit(); err != nil {
		t.Fatal(err)
	}
	if size, files := tree.Usage(); size != 8 || files != 3 {
		t.Errorf("it counts %d bytes and %d files", size, files)
	}
	buffer := make([]byte, 10)
	if n, err := h.ReadAt(buffer, 0); err != nil || string(buffer[:n]) != "12345" {
		t.Errorf("%q, %v", buffer[:n], err)
	}
	if err := folder.Mkdir("x", 0); !errors.Is(err, ENOENT) {
		t.Errorf("the old folder can be used: %v", err)
	}
	if list, err := root.ReadDir(); err != nil || len(list) != 1 || list[0].Name != "123" {
		t.Errorf("%v, %v", list, err)
	}
	if err := errors.Join(h.Close(), folder.Close(), root.Close()); err != nil {
		t.Fatal(err)
	}
	checkUsage(t, tree)
}

func TestHardLinksOfWhatIsLostAndKept(t *testing.T) {
	tree, stage := treeAndStage(t, Limits{Bytes: 8}, []string{"12345", "d/"}, []string{"123"})
	if err := tree.Link("12345", "d/again"); err != nil {
		t.Fatal(err)
	}
	if err := stage.Commit("d"); err != nil {
		t.Fatal(err)
	}
	if got, want := paths(tree), []string{"123", "d/", "d/again"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	checkUsage(t, tree)
}

func TestReplaceTakesEntriesAtTheTimeOfTheTree(t *testing.T) {
	from, to := New(Config{}), New(Config{Now: 1_000_000})
	if err := staged(t, from, []string{"a", "d/", "d/l->a"}).Commit(); err != nil {
		t.Fatal(err)
	}
	if err := staged(t, to, []string{"a", "old"}).Commit(); err != nil {
		t.Fatal(err)
	}
	now := to.Now()
	if err := to.Replace(from.Snapshot(), "old"); err != nil {
		t.Fatal(err)
	}
	if got, want := paths(to), []string{"a", "d/", "d/l->a", "old"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, e := range to.Snapshot() {
		if e.Path != "old" && (e.Modified != now || e.Accessed != now) {
			t.Errorf("%s is of %d and %d, want %d", e.Path, e.Modified, e.Accessed, now)
		}
	}
	if info, err := to.Lstat("d"); err != nil || info.Mode != fs.ModeDir|0o700 {
		t.Errorf("the folder has the mode %v: %v", info.Mode, err)
	}
	checkUsage(t, to)
	before := paths(to)
	if err := to.Replace([]Entry{entryOf("b"), entryOf("b/c")}); !errors.Is(err, ENOTDIR) || !slices.Equal(paths(to), before) {
		t.Errorf("after a failure: %q: %v", paths(to), err)
	}
}
