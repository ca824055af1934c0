package workspace_test

import (
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// wildPath is any path, sane or not.
func (c *choice) wildPath() string {
	if c.of(3) > 0 {
		return c.path()
	}
	odd := []string{
		"/workspace/a", "/workspace", "/", "", "/ro/x", "/ro/dir/y", "/rw/a", "/rw/inner", "/rw/inner/a", "/rw", "/etc", "//a", "a//b", "../workspace/a",
		"a\x00b", "\xff", strings.Repeat("n", 255), strings.Repeat("n", 256), strings.Repeat("a/", 2047) + "a", strings.Repeat("a/", 2048), `a\b`, "C:/a",
		strings.Repeat(strings.Repeat("m", 200)+"/", 20), "/ro", "../ro/x", "../../../..", "a/" + strings.Repeat("../", 100) + "rw/a", "...", "é",
	}
	return odd[c.of(len(odd))]
}

// playTree does one of the operations by path.
func (c *choice) playTree(tree *workspace.Tree) error {
	path, to := c.wildPath(), c.wildPath()
	switch c.of(18) {
	case 0:
		return tree.WriteFile(path, make([]byte, c.of(100)), 0)
	case 1:
		_, err := tree.ReadFile(path)
		return err
	case 2:
		return tree.Mkdir(path, 0)
	case 3, 4:
		return tree.MkdirAll(path, 0)
	case 5:
		return tree.Remove(path)
	case 6:
		return tree.RemoveAll(path)
	case 7, 8:
		return tree.Rename(path, to)
	case 9:
		return tree.Link(path, to)
	case 10, 11:
		return tree.Symlink(path, to)
	case 12:
		return tree.Chmod(path, 0o7777)
	case 13:
		return tree.SetTimes(path, new(int64(1)), new(int64(2)))
	case 14:
		return tree.Access(path, workspace.Actor{User: "alice"}, workspace.Permission(c.of(8)))
	case 15:
		if c.of(10) == 0 {
			tree.Clear("a")
		}
		return nil
	case 16:
		stage := tree.Stage()
		for range c.of(6) {
			e := workspace.Entry{Path: c.wildPath(), Content: make([]byte, c.of(50)), Info: workspace.Info{Target: c.path(), Mode: 0o644}}
			e.Mode |= []fs.FileMode{0, fs.ModeDir, fs.ModeSymlink, fs.ModeNamedPipe}[c.of(4)]
			_ = stage.Put(e)
		}
		return stage.Commit([]string{".", "a", "b/a", "none", "c"}[c.of(5)])
	default:
		return tree.CopyFS(fstest.MapFS{"a/b/c": {Data: make([]byte, 30)}})
	}
}

// playAlone does operations to a tree with grants and tight limits. Those that fail
// change nothing, and no other tree.
func playAlone(t *testing.T, data []byte) {
	t.Helper()
	policy := must(workspace.NewPolicy("", workspace.Grant{Path: "/ro", ReadOnly: true}, workspace.Grant{Path: "/rw"},
		workspace.Grant{Path: "/rw/inner", ReadOnly: true}))(t)
	p, c := newPlayer(t, workspace.Config{Policy: policy, Limits: workspace.Limits{Bytes: 300, Files: 12}}), &choice{data}
	check(t, p.tree.CopyFSTo("/ro", fstest.MapFS{"x": {Data: []byte("X")}, "dir/y": {}}))
	fixed := p.tree.Clone()
	var clone *workspace.Tree
	var cloned string
	for c.more() {
		before := state(p.tree)
		var err error
		if c.of(3) == 0 {
			err = c.playTree(p.tree)
		} else {
			o := c.operation()
			o.path, o.to = c.wildPath(), c.wildPath()
			_, err = p.play(o)
		}
		if err != nil && state(p.tree) != before {
			t.Fatalf("%v, but before\n%s\nand after\n%s", err, before, state(p.tree))
		}
		check(t, p.tree.Invariants(p.open()...))
		if clone != nil && state(clone) != cloned {
			t.Fatal("a clone changed")
		}
		if c.of(20) == 0 {
			clone = p.tree.Clone()
			check(t, clone.Invariants())
			if cloned = state(clone); len(p.open()) == 1 && cloned != state(p.tree) {
				t.Fatal("a clone isn't the same")
			}
		}
	}
	for slot := range p.handles {
		p.close(slot)
	}
	p.tree.Clear()
	check(t, p.tree.RemoveAll("/workspace/a"))
	for _, e := range must(p.tree.ReadDir("/rw"))(t) {
		if e.Name != "inner" {
			check(t, p.tree.RemoveAll("/rw/"+e.Name))
		}
	}
	check(t, p.tree.Invariants())
	for _, name := range []string{"/ro", "/ro/x", "/ro/dir", "/ro/dir/y"} {
		if got, want := must(p.tree.Stat(name))(t), must(fixed.Stat(name))(t); got != want {
			t.Errorf("what can only be read was %+v, and is %+v", want, got)
		}
	}
	wantBytes, wantFiles := fixed.Usage()
	if bytes, files := p.tree.Usage(); bytes != wantBytes || files != wantFiles {
		t.Errorf("%d bytes in %d files are left, want %d in %d", bytes, files, wantBytes, wantFiles)
	}
}

func TestRandomOperationsThatFailChangeNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		data := make([]byte, 3000)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		t.Run("", func(t *testing.T) { playAlone(t, data) })
	}
}

func FuzzOperations(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { playAlone(t, data[:min(len(data), 600)]) })
}
