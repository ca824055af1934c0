package wasi

import "github.com/wasmsandbox/wasmsandbox/host/workspace"

const (
	filetypeUnknown         = 0
	filetypeCharacterDevice = 2
	filetypeDirectory       = 3
	filetypeRegularFile     = 4
	filetypeSymbolicLink    = 7
)

// The flags of a descriptor.
const (
	fdAppend   = 1
	fdNonblock = 4
	fdflagsAll = 1<<5 - 1
)

// A descriptor is what is open: a standard stream, a file or a folder.
type descriptor struct {
	stream     stream            // noStream: a file or folder
	handle     *workspace.Handle // of a file or folder
	filetype   byte
	flags      uint16
	rights     uint64
	inheriting uint64
	offset     int64  // in a file
	preopen    string // "": the guest has opened it itself
	first      int    // of one that is open from the start: its number then
	above      bool   // paths start at the top of the tree, not at the handle
	listing    []dirent
}

func (d *descriptor) isFolder() bool { return d.filetype == filetypeDirectory }

// A table is all that is open. A descriptor's number is its index; what isn't open
// is nil.
type table struct {
	open  []*descriptor
	free  int // none before it is free
	limit int
}

// get gives what is open under a number, or nil.
func (t *table) get(fd uint32) *descriptor {
	if uint64(fd) >= uint64(len(t.open)) {
		return nil
	}
	return t.open[fd]
}

func (t *table) isStream(fd uint32) bool {
	d := t.get(fd)
	return d != nil && d.stream != noStream
}

// next is the lowest number that isn't taken, unless there are too many.
func (t *table) next() (fd int, ok bool) {
	for t.free < len(t.open) && t.open[t.free] != nil {
		t.free++
	}
	return t.free, t.free < t.limit
}

// add gives a descriptor the next number.
func (t *table) add(d *descriptor) (fd uint32) {
	next, _ := t.next()
	if next == len(t.open) {
		t.open = append(t.open, nil)
	}
	t.open[next] = d
	return uint32(next)
}

// remove frees a number.
func (t *table) remove(fd uint32) {
	t.open[fd] = nil
	t.free = min(t.free, int(fd))
}

// close gives up what is open under a number.
func (e *Env) close(fd uint32) errno {
	d := e.fds.get(fd)
	if d == nil {
		return ebadf
	}
	e.fds.remove(fd)
	e.forgetListing(d)
	if d.handle != nil {
		return errnoOf(d.handle.Close())
	}
	return success
}

func fdClose(e *Env, _ memory, p params) errno { return e.close(p.u32(0)) }

// fdRenumber closes the second descriptor, and gives its number to the first.
func fdRenumber(e *Env, _ memory, p params) errno {
	from, to := p.u32(0), p.u32(1)
	d := e.fds.get(from)
	switch {
	case d == nil || e.fds.get(to) == nil:
		return ebadf
	case from == to:
		return success
	}
	err := e.close(to)
	e.fds.open[to] = d
	e.fds.remove(from)
	return err
}

// onOpen answers EBADF for a descriptor that isn't open, and else the given
// number. The descriptor is the first parameter.
func onOpen(answer errno) handler {
	return func(e *Env, _ memory, p params) errno {
		if e.fds.get(p.u32(0)) == nil {
			return ebadf
		}
		return answer
	}
}

// need gives what is open under a number, if it may be used for that.
func (e *Env) need(fd uint32, right uint64) (*descriptor, errno) {
	switch d := e.fds.get(fd); {
	case d == nil:
		return nil, ebadf
	case d.rights&right != right:
		return nil, enotcapable
	default:
		return d, success
	}
}

// needFile is need for what has a position: streams are ESPIPE, folders EBADF.
func (e *Env) needFile(fd uint32, right uint64) (*descriptor, errno) {
	switch d := e.fds.get(fd); {
	case d == nil || d.isFolder():
		return nil, ebadf
	case d.stream != noStream:
		return nil, espipe
	}
	return e.need(fd, right)
}

// needFolder is need for folders.
func (e *Env) needFolder(fd uint32, right uint64) (*descriptor, errno) {
	switch d := e.fds.get(fd); {
	case d == nil:
		return nil, ebadf
	case !d.isFolder():
		return nil, enotdir
	}
	return e.need(fd, right)
}
