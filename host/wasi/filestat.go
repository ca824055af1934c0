package wasi

import "github.com/wasmsandbox/wasmsandbox/host/workspace"

const (
	filestatSize = 64
	fileDevice   = 1 // streams are on device 0
)

func fdFilestatGet(e *Env, m memory, p params) errno {
	d, err := e.need(p.u32(0), rightFdFilestatGet)
	if err != success {
		return err
	}
	out, ok := m.view(p.u32(1), filestatSize)
	if !ok {
		return efault
	}
	if d.stream == noStream {
		putFilestat(out, d.handle.Info())
		return success
	}
	clear(out)
	putU64(out[8:], uint64(d.stream)) // inode
	out[16] = d.filetype
	putU64(out[24:], 1) // links
	return success
}

func pathFilestatGet(e *Env, m memory, p params) errno {
	d, name, err := e.at(m, p.u32(0), rightFilestatGet, p.u32(2), p.u32(3))
	if err != success {
		return err
	}
	follow, err := lookup(p.u32(1))
	if err != success {
		return err
	}
	out, ok := m.view(p.u32(4), filestatSize)
	if !ok {
		return efault
	}
	info, failed := d.handle.Stat(name, follow)
	if failed != nil {
		return errnoOf(failed)
	}
	putFilestat(out, info)
	return success
}

// putFilestat writes what there is to know of a file. The time of the last change
// of its attributes isn't known; that of its content stands for it.
func putFilestat(out []byte, info workspace.Info) {
	clear(out)
	putU64(out, fileDevice)
	putU64(out[8:], info.Inode)
	out[16] = filetypeOf(info)
	putU64(out[24:], uint64(info.Links))
	putU64(out[32:], uint64(info.Size))
	putU64(out[40:], uint64(max(info.Accessed, 0)))
	putU64(out[48:], uint64(max(info.Modified, 0)))
	putU64(out[56:], uint64(max(info.Modified, 0)))
}

// fdFilestatSetSize answers EINVAL for what can't be written, and for what is
// negative to a C library, as POSIX does.
func fdFilestatSetSize(e *Env, _ memory, p params) errno {
	d := e.fds.get(p.u32(0))
	switch {
	case d == nil:
		return ebadf
	case d.rights&rightFdSetSize == 0, p[1] > maxOffset:
		return einval
	}
	return e.resize(d, int64(p[1]), d.handle.Truncate)
}

// fdAllocate makes a file at least as long as that.
func fdAllocate(e *Env, _ memory, p params) errno {
	d, err := e.needFile(p.u32(0), 0)
	switch offset, length := p[1], p[2]; {
	case err != success:
		return err
	case d.rights&rightFdAllocate == 0:
		return ebadf
	case length == 0 || offset > maxOffset:
		return einval
	case length > maxOffset-offset:
		return efbig
	}
	return e.resize(d, int64(p[1]+p[2]), d.handle.Grow)
}

// resize changes the length of a file, for which all that it has then may be copied.
func (e *Env) resize(d *descriptor, size int64, change func(size int64) error) errno {
	was := d.handle.Info().Size
	err := e.change(func() error { return change(size) })
	if now := d.handle.Info().Size; now != was {
		e.owesBytes(now)
	}
	return err
}

const adviceMax = 5

// fdAdvise takes any advice there is, and does nothing about it.
func fdAdvise(e *Env, _ memory, p params) errno {
	switch _, err := e.needFile(p.u32(0), rightFdAdvise); {
	case err != success:
		return err
	case p.u32(3) > adviceMax, p[1] > maxOffset, p[2] > maxOffset-p[1]:
		return einval
	}
	return success
}
