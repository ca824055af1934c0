package wasi

import (
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// preopen opens what the guest sees from the start, in an order and under names
// that all libraries understand.
//
// The working folder comes first, as ".": Zig takes the first for it, whatever its
// name, and C and Rust look up relative paths there. The root and the grants
// follow as absolute paths; a path is looked up where its beginning agrees most.
// What is left goes to "/", where nothing is but the way to them: so it is an
// escape to Go, for which it would be no descriptor at all. Go wants the working
// folder as PWD. To C "/" and "." are the same name, and the last of the same name
// counts: therefore the working folder comes last as well.
func (e *Env) preopen(dir string) {
	policy := e.files.Policy()
	root := policy.Root()
	if clean, err := policy.Normalize(dir); err == nil {
		dir = clean
	}
	e.clock.advanceTo(e.files.Now())
	e.preopenFolder(dir, ".")
	e.preopenFolder(root, root)
	for _, g := range policy.Grants() {
		e.preopenFolder(g.Path, g.Path)
	}
	if root != "/" {
		e.preopenFolder(root, "/")
	}
	e.preopenFolder(dir, ".")
	if !slices.ContainsFunc(e.environ, func(s string) bool { return strings.HasPrefix(s, "PWD=") }) {
		e.environ = append(slices.Clip(e.environ), "PWD="+dir)
	}
}

// preopenFolder opens a folder. One that can't be opened is left out. Where "/" is
// above the files it stands for the way to them, and can't be looked at.
func (e *Env) preopenFolder(path, name string) {
	handle, err := e.files.Open(path, workspace.OpenOptions{Read: true, Directory: true})
	if err != nil {
		return
	}
	d := &descriptor{
		handle: handle, filetype: filetypeDirectory, preopen: name, first: len(e.fds.open),
		rights: rightsFolder, inheriting: rightsInFolder,
	}
	if name == "/" && path != "/" {
		d.above = true
		d.rights &^= rightReaddir | rightFdFilestatGet | rightFdSetTimes
	}
	e.fds.open = append(e.fds.open, d)
}

// preopened gives a folder that is open from the start.
func (e *Env) preopened(fd uint32) (*descriptor, errno) {
	if d := e.fds.get(fd); d != nil && d.preopen != "" {
		return d, success
	}
	return nil, ebadf
}

func fdPrestatGet(e *Env, m memory, p params) errno {
	d, err := e.preopened(p.u32(0))
	if err != success {
		return err
	}
	return m.putU64(p.u32(1), uint64(len(d.preopen))<<32) // the lower half says that it is a folder
}

func fdPrestatDirName(e *Env, m memory, p params) errno {
	d, err := e.preopened(p.u32(0))
	if err != success {
		return err
	}
	if uint64(p.u32(2)) < uint64(len(d.preopen)) {
		return enametoolong
	}
	out, ok := m.view(p.u32(1), uint32(len(d.preopen)))
	if !ok {
		return efault
	}
	copy(out, d.preopen)
	return success
}
