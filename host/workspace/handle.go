package workspace

import "io/fs"

// A Handle is an open file or folder. It stays what it is when its name is taken
// by something else or removed. It is safe for concurrent use. Once it is closed,
// whatever can fail does so with EBADF; IsDir, Options and Info still tell of what
// was open.
//
// The paths that methods of a folder are given start there; absolute ones are the
// tree's. A program that is confined to the folder must not be given paths with more
// ".." than names before them, nor follow symlinks: what is inside of the tree's
// areas is all within reach.
type Handle struct {
	tree     *Tree
	node     *node
	name     string
	how      OpenOptions
	dir      bool
	readOnly *area // that it is in, unless it can be changed
	closed   bool  // under the tree's lock, as is the next
	work     Work
}

// Open opens a file or folder.
func (t *Tree) Open(name string, o OpenOptions) (*Handle, error) {
	clean, err := t.clean("open", name, o.changes())
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.handle(t.top, clean, o)
}

func (t *Tree) handle(base *node, name string, o OpenOptions) (*Handle, error) {
	p, err := t.open(base, name, o)
	if err != nil {
		return nil, err
	}
	h := &Handle{tree: t, node: p.node, name: lastName(name), how: o, dir: p.node.isDir()}
	if a := p.folder().area; a.readOnly {
		h.readOnly = a
	}
	p.node.opened++
	return h, nil
}

// on does something with what is open, under the tree's lock.
func (h *Handle) on(op, name string, do func() error) error {
	h.tree.mu.Lock()
	defer h.tree.mu.Unlock()
	if h.closed {
		return &fs.PathError{Op: op, Path: name, Err: EBADF}
	}
	return h.measured(do)
}

// Close gives the handle up.
func (h *Handle) Close() error {
	return h.on("close", h.name, func() error {
		h.closed = true
		h.node.opened--
		h.tree.release(h.node)
		return nil
	})
}

// IsDir reports whether it is a folder.
func (h *Handle) IsDir() bool { return h.dir }

// Options are those that it was opened with.
func (h *Handle) Options() OpenOptions { return h.how }

// Info tells of what is open, under the name with which it was opened.
func (h *Handle) Info() Info {
	h.tree.mu.Lock()
	defer h.tree.mu.Unlock()
	return h.node.info(h.name)
}

// ReadAt reads from an offset of a file. It gives 0 without an error at the end of
// the file and beyond.
func (h *Handle) ReadAt(p []byte, offset int64) (n int, err error) {
	err = h.on("read", h.name, func() error {
		switch {
		case !h.how.Read:
			return pathError("read", h.name, EBADF)
		case h.node.isDir():
			return pathError("read", h.name, EISDIR)
		case offset < 0:
			return pathError("read", h.name, EINVAL)
		}
		bytes := h.node.content.bytes
		n = copy(p, bytes[min(offset, int64(len(bytes))):])
		return nil
	})
	return n, err
}

// WriteAt writes all bytes or none at an offset of a file; to its end, if it was
// opened for appending. It gives the offset behind what it wrote.
func (h *Handle) WriteAt(p []byte, offset int64) (end int64, err error) {
	end = offset
	err = h.changing("write", func(ready *reallocation) (needed *reallocation, err error) {
		if !h.how.Write && !h.how.Append {
			return nil, pathError("write", h.name, EBADF)
		}
		if h.how.Append {
			offset = int64(h.node.content.size())
		}
		if needed, err = h.tree.write(h.node, p, offset, ready); needed == nil && err == nil {
			end = offset + int64(len(p))
		}
		return needed, pathError("write", h.name, err)
	})
	return end, err
}

// Append writes all bytes or none to the end of a file, however it was opened for
// writing. It gives the offset behind what it wrote.
func (h *Handle) Append(p []byte) (end int64, err error) {
	err = h.changing("write", func(ready *reallocation) (needed *reallocation, err error) {
		if !h.how.Write && !h.how.Append {
			return nil, pathError("write", h.name, EBADF)
		}
		end = int64(h.node.content.size())
		if needed, err = h.tree.write(h.node, p, end, ready); needed == nil && err == nil {
			end += int64(len(p))
		}
		return needed, pathError("write", h.name, err)
	})
	return end, err
}

// Truncate makes a file that long, in bytes.
func (h *Handle) Truncate(size int64) error {
	return h.changing("truncate", func(ready *reallocation) (needed *reallocation, err error) {
		if !h.how.Write && !h.how.Append {
			return nil, pathError("truncate", h.name, EBADF)
		}
		needed, err = h.tree.resize(h.node, size, ready)
		return needed, pathError("truncate", h.name, err)
	})
}

// Grow makes a file at least that long, in bytes.
func (h *Handle) Grow(size int64) error {
	return h.changing("truncate", func(ready *reallocation) (needed *reallocation, err error) {
		switch {
		case !h.how.Write && !h.how.Append:
			return nil, pathError("truncate", h.name, EBADF)
		case size <= int64(h.node.content.size()):
			return nil, nil
		}
		needed, err = h.tree.resize(h.node, size, ready)
		return needed, pathError("truncate", h.name, err)
	})
}

// SetTimes sets the times of what is open, in nanoseconds since 1970. Nil leaves
// one as it is.
func (h *Handle) SetTimes(accessed, modified *int64) error {
	return h.on("utimes", h.name, func() error {
		if h.readOnly != nil {
			return pathError("utimes", h.name, &ReadOnlyError{Path: h.name, Grant: h.readOnly.path})
		}
		h.node.setTimes(accessed, modified)
		return nil
	})
}
