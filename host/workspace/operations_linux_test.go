package workspace_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// above is so deep that no path of the test leads to what is above it.
const above = "/1/2/3/4/5/6/7/8/9/10/11/12/workspace"

// A machine does operations to a folder of the machine, with system calls: package
// os changes names and errors.
type machine struct {
	root string
	fds  [slots]int
	dirs [slots]bool
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	if _, err := os.Stat("/proc/self/fd"); err != nil {
		t.Skip(err)
	}
	m := &machine{root: t.TempDir() + above}
	check(t, os.MkdirAll(m.root, 0o755))
	m.fds[0] = must(syscall.Open(m.root, syscall.O_RDONLY|syscall.O_CLOEXEC, 0))(t)
	m.dirs[0] = true
	t.Cleanup(func() {
		for slot := range m.fds {
			m.close(slot)
		}
	})
	return m
}

func (m *machine) close(slot int) {
	if m.fds[slot] > 0 {
		_ = syscall.Close(m.fds[slot]) // it is open
	}
	m.fds[slot], m.dirs[slot] = 0, false
}

// at is a path that starts at an open folder.
func (m *machine) at(slot int, name string) string {
	fd := m.fds[0]
	if m.dirs[slot] {
		fd = m.fds[slot]
	}
	return fmt.Sprintf("/proc/self/fd/%d/%s", fd, name)
}

func (m *machine) play(o operation) (string, error) {
	name, fd, isFile := m.at(o.slot, o.path), m.fds[o.slot], m.fds[o.slot] > 0 && !m.dirs[o.slot]
	buffer := make([]byte, 100)
	switch operationNames[o.kind] {
	case "open":
		return "", m.open(o, name)
	case "close":
		if o.slot != 0 {
			m.close(o.slot)
		}
		return "", nil
	case "write":
		if !isFile {
			return "", nil
		}
		_, err := syscall.Pwrite(fd, o.content, int64(o.offset))
		return "", err
	case "truncate":
		if !isFile {
			return "", nil
		}
		err := syscall.Ftruncate(fd, int64(o.offset))
		if err == syscall.EINVAL {
			err = syscall.EBADF // what Linux says of a file that isn't open for writing
		}
		return "", err
	case "read":
		if !isFile {
			return "", nil
		}
		n, err := syscall.Pread(fd, buffer[:len(o.content)], int64(o.offset))
		return string(buffer[:max(n, 0)]), err
	case "mkdir":
		return "", syscall.Mkdir(name, 0o755)
	case "rmdir":
		return "", syscall.Rmdir(name)
	case "unlink":
		return "", syscall.Unlink(name)
	case "rename":
		return "", syscall.Rename(name, m.at(o.other, o.to))
	case "link":
		return "", syscall.Link(name, m.at(o.other, o.to))
	case "symlink":
		return "", syscall.Symlink(o.to, name)
	case "readlink":
		n, err := syscall.Readlink(name, buffer)
		return string(buffer[:max(n, 0)]), err
	case "stat":
		return status(name, syscall.Stat)
	case "lstat":
		return status(name, syscall.Lstat)
	default:
		entries, err := os.ReadDir(m.at(o.slot, "."))
		names := make([]string, len(entries))
		for i, e := range entries {
			names[i] = e.Name()
		}
		return strings.Join(names, " "), err
	}
}

func (m *machine) open(o operation, name string) error {
	flags := syscall.O_CLOEXEC
	switch {
	case o.options.Read && o.options.Write:
		flags |= syscall.O_RDWR
	case o.options.Write:
		flags |= syscall.O_WRONLY
	}
	for flag, set := range map[int]bool{
		syscall.O_APPEND: o.options.Append, syscall.O_CREAT: o.options.Create, syscall.O_EXCL: o.options.Exclusive,
		syscall.O_TRUNC: o.options.Truncate, syscall.O_DIRECTORY: o.options.Directory, syscall.O_NOFOLLOW: o.options.NoFollow,
	} {
		if set {
			flags |= flag
		}
	}
	fd, err := syscall.Open(name, flags, 0o644)
	if err != nil {
		return err
	}
	if o.other == 0 {
		return syscall.Close(fd)
	}
	m.close(o.other)
	var s syscall.Stat_t
	err = syscall.Fstat(fd, &s)
	m.fds[o.other], m.dirs[o.other] = fd, s.Mode&syscall.S_IFMT == syscall.S_IFDIR
	return err
}

func status(name string, call func(string, *syscall.Stat_t) error) (string, error) {
	var s syscall.Stat_t
	if err := call(name, &s); err != nil {
		return fs.FileMode(0).String(), err
	}
	mode := fs.FileMode(s.Mode) & fs.ModePerm
	switch s.Mode & syscall.S_IFMT {
	case syscall.S_IFDIR:
		return (mode | fs.ModeDir).String(), nil
	case syscall.S_IFLNK:
		mode |= fs.ModeSymlink
	}
	return fmt.Sprint(mode, s.Size, s.Nlink), nil
}

// name is what the machine calls an error.
func name(err error) string {
	var errno syscall.Errno
	if errors.As(err, &errno) {
		return errno.Error()
	}
	if err == nil {
		return ""
	}
	return reason(err).Error()
}

// files is what both have, comparably.
func (m *machine) files(t *testing.T) map[string]string {
	t.Helper()
	files, inodes := map[string]string{}, map[uint64]string{}
	check(t, filepath.WalkDir(m.root, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info := must(os.Lstat(name))(t)
		rel := must(filepath.Rel(m.root, name))(t)
		text := info.Mode().String()
		switch info.Mode().Type() {
		case 0:
			text += " " + string(must(os.ReadFile(name))(t))
		case fs.ModeSymlink:
			text += " " + must(os.Readlink(name))(t)
		}
		files[rel] = text + first(inodes, info.Sys().(*syscall.Stat_t).Ino, rel)
		return nil
	}))
	return files
}

func first(inodes map[uint64]string, inode uint64, name string) string {
	if known, found := inodes[inode]; found {
		return " is " + known
	}
	inodes[inode] = name
	return ""
}

func (p *player) files() map[string]string {
	files, inodes := map[string]string{}, map[uint64]string{}
	for _, e := range p.tree.Snapshot() {
		text := e.Mode.String()
		switch e.Mode.Type() {
		case 0:
			text += " " + string(e.Content)
		case fs.ModeSymlink:
			text += " " + e.Target
		}
		files[e.Path] = text + first(inodes, e.Inode, e.Path)
	}
	return files
}

// playBoth does operations to a tree and to the machine.
func playBoth(t *testing.T, data []byte) (compared int) {
	t.Helper()
	policy := must(workspace.NewPolicy(above))(t)
	p, m, c := newPlayer(t, workspace.Config{Policy: policy}), newMachine(t), &choice{data}
	var log bytes.Buffer
	for c.more() {
		o := c.operation()
		if p.isGone(o) {
			continue
		}
		got, err := p.play(o)
		if errors.As(err, new(*workspace.EscapeError)) {
			continue // the machine would let it pass
		}
		want, wantErr := m.play(o)
		compared++
		fmt.Fprintf(&log, "%v: %q %v; Linux: %q %v\n", o, got, err, want, wantErr)
		busy := errors.Is(err, workspace.EBUSY) && wantErr != nil // the root
		if !busy && (got != want || name(err) != name(wantErr)) {
			t.Fatal(log.String())
		}
		if err := p.tree.Invariants(p.open()...); err != nil {
			t.Fatal(log.String(), err)
		}
	}
	got, want := p.files(), m.files(t)
	if len(got) != len(want) {
		t.Errorf("%d files, want %d", len(got), len(want))
	}
	for rel, text := range want {
		if got[rel] != text {
			t.Errorf("%s is %q, want %q", rel, got[rel], text)
		}
	}
	if t.Failed() {
		t.Log(log.String())
	}
	return compared
}

// isGone reports a path from a folder that was removed, where that isn't just
// missing: Linux goes to the folder itself and above it, and looks at both names of
// a renaming before it looks for them.
func (p *player) isGone(o operation) bool {
	gone := func(slot int) bool {
		_, err := p.base(slot).Stat(".", true)
		return err != nil
	}
	fromDot := func(name string) bool { return strings.HasPrefix(path.Clean(name), ".") }
	switch operationNames[o.kind] {
	case "rename", "link":
		return gone(o.slot) || gone(o.other)
	case "readdir":
		return gone(o.slot)
	default:
		return gone(o.slot) && fromDot(o.path)
	}
}

func TestRandomOperationsDoWhatLinuxDoes(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 64))
	compared := 0
	for range 20 {
		data := make([]byte, 4000)
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		t.Run("", func(t *testing.T) { compared += playBoth(t, data) })
		if t.Failed() {
			return
		}
	}
	t.Log(compared, "operations")
}

func FuzzOperationsAsOnLinux(f *testing.F) {
	f.Fuzz(func(t *testing.T, data []byte) { playBoth(t, data[:min(len(data), 600)]) })
}
