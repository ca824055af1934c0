package workspace_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A choice makes decisions of random bytes. It ends when they do.
type choice struct{ bytes []byte }

func (c *choice) more() bool { return len(c.bytes) > 0 }

func (c *choice) of(n int) int {
	if len(c.bytes) == 0 {
		return 0
	}
	b := c.bytes[0]
	c.bytes = c.bytes[1:]
	return int(b) % n
}

func (c *choice) path() string {
	names := []string{"a", "b", "c", "a", "b", "c", "..", ".", "a/b"}
	path := names[c.of(len(names))]
	for range c.of(3) {
		path += "/" + names[c.of(len(names))]
	}
	if c.of(6) == 0 {
		path += "/"
	}
	return path
}

func (c *choice) options() workspace.OpenOptions {
	bits := c.of(256)
	o := workspace.OpenOptions{
		Read: bits&1 != 0, Write: bits&2 != 0, Append: bits&4 != 0 && bits&2 != 0, Create: bits&8 != 0,
		Truncate: bits&16 != 0 && bits&2 != 0, NoFollow: bits&32 != 0,
	}
	o.Read = o.Read || !o.Write // as open(2) has it
	o.Exclusive = o.Create && bits&64 != 0
	o.Directory = !o.Create && bits&128 != 0
	return o
}

// An operation is what can be done to a tree and to a folder of the machine.
type operation struct {
	kind        int
	slot, other int // of handles
	path, to    string
	options     workspace.OpenOptions
	offset      int
	content     []byte
}

const slots = 4

var operationNames = []string{
	"open", "close", "write", "truncate", "read", "mkdir", "rmdir", "unlink", "rename", "rename", "link", "symlink",
	"readlink", "stat", "lstat", "readdir", "open", "mkdir", "symlink",
}

func (o operation) String() string {
	return fmt.Sprintf("%s slot %d %q to slot %d %q, %+v, %d bytes at %d",
		operationNames[o.kind], o.slot, o.path, o.other, o.to, o.options, len(o.content), o.offset)
}

func (c *choice) operation() operation {
	return operation{
		kind: c.of(len(operationNames)), slot: c.of(slots), other: c.of(slots), path: c.path(), to: c.path(),
		options: c.options(), offset: c.of(50), content: []byte(strings.Repeat("x", c.of(20))),
	}
}

// A player does operations to a tree. Slot 0 is the root, for good.
type player struct {
	tree    *workspace.Tree
	handles [slots]*workspace.Handle
}

func newPlayer(t testing.TB, c workspace.Config) *player {
	t.Helper()
	p := &player{tree: workspace.New(c)}
	p.handles[0] = must(p.tree.Open(".", workspace.OpenOptions{Read: true, Directory: true}))(t)
	return p
}

// base is the folder that a path is taken from.
func (p *player) base(slot int) *workspace.Handle {
	if h := p.handles[slot]; h != nil && h.IsDir() {
		return h
	}
	return p.handles[0]
}

// play does an operation, and gives what it told.
func (p *player) play(o operation) (string, error) {
	base, h := p.base(o.slot), p.handles[o.slot]
	switch operationNames[o.kind] {
	case "open":
		opened, err := base.Open(o.path, o.options)
		if err == nil && o.other != 0 {
			p.close(o.other)
			p.handles[o.other] = opened
		} else if err == nil {
			err = opened.Close()
		}
		return "", err
	case "close":
		if o.slot != 0 {
			p.close(o.slot)
		}
		return "", nil
	case "write":
		if h == nil || h.IsDir() {
			return "", nil
		}
		_, err := h.WriteAt(o.content, int64(o.offset))
		return "", err
	case "truncate":
		if h == nil || h.IsDir() {
			return "", nil
		}
		return "", h.Truncate(int64(o.offset))
	case "read":
		if h == nil || h.IsDir() {
			return "", nil
		}
		buffer := make([]byte, len(o.content))
		n, err := h.ReadAt(buffer, int64(o.offset))
		return string(buffer[:n]), err
	case "mkdir":
		return "", base.Mkdir(o.path, 0)
	case "rmdir":
		return "", base.Rmdir(o.path)
	case "unlink":
		return "", base.Unlink(o.path)
	case "rename":
		return "", base.Rename(o.path, p.base(o.other), o.to)
	case "link":
		return "", base.Link(o.path, false, p.base(o.other), o.to)
	case "symlink":
		return "", base.Symlink(o.to, o.path)
	case "readlink":
		return base.Readlink(o.path)
	case "stat", "lstat":
		info, err := base.Stat(o.path, operationNames[o.kind] == "stat")
		if err != nil || info.Mode.IsDir() {
			return info.Mode.String(), err
		}
		return fmt.Sprint(info.Mode, info.Size, info.Links), nil
	default:
		infos, err := base.ReadDir()
		names := make([]string, len(infos))
		for i, info := range infos {
			names[i] = info.Name
		}
		return strings.Join(names, " "), err
	}
}

func (p *player) close(slot int) {
	if h := p.handles[slot]; h != nil {
		_ = h.Close() // once
		p.handles[slot] = nil
	}
}

func (p *player) open() []*workspace.Handle {
	var open []*workspace.Handle
	for _, h := range p.handles {
		if h != nil {
			open = append(open, h)
		}
	}
	return open
}

// state is all that can be seen of a tree.
func state(tree *workspace.Tree) string {
	var b strings.Builder
	for _, e := range tree.Snapshot() {
		fmt.Fprintf(&b, "%s %+v %q\n", e.Path, e.Info, e.Content)
	}
	bytes, files := tree.Usage()
	fmt.Fprint(&b, bytes, files, tree.Now())
	return b.String()
}

// must gives a result that has to be there.
func must[T any](result T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// reason is the innermost cause of an error.
func reason(err error) error {
	if pathError, ok := errors.AsType[*fs.PathError](err); ok {
		return pathError.Err
	}
	return err
}
