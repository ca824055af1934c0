package wasi

import "encoding/binary"

// A stream is what a file descriptor stands for.
type stream byte

const (
	closed stream = iota
	stdin
	stdout
	stderr
)

const (
	filetypeCharacterDevice = 2

	rightFdRead        = 1 << 1
	rightFdWrite       = 1 << 6
	rightFdFilestatGet = 1 << 21
	rightPoll          = 1 << 27

	fdflagsAll = 1<<5 - 1
)

func (e *Env) stream(fd uint32) stream {
	if fd >= uint32(len(e.fds)) {
		return closed
	}
	return e.fds[fd]
}

// onOpen answers EBADF for a descriptor that isn't open, and else the given
// number. The descriptor is the parameter with that index.
func onOpen(param int, answer errno) handler {
	return func(e *Env, _ memory, p params) errno {
		if e.stream(p.u32(param)) == closed {
			return ebadf
		}
		return answer
	}
}

// onBothOpen is onOpen for functions that take two descriptors.
func onBothOpen(first, second int, answer errno) handler {
	return func(e *Env, _ memory, p params) errno {
		if e.stream(p.u32(first)) == closed || e.stream(p.u32(second)) == closed {
			return ebadf
		}
		return answer
	}
}

func fdClose(e *Env, _ memory, p params) errno {
	fd := p.u32(0)
	if e.stream(fd) == closed {
		return ebadf
	}
	e.fds[fd] = closed
	return success
}

func fdRenumber(e *Env, _ memory, p params) errno {
	from, to := p.u32(0), p.u32(1)
	if e.stream(from) == closed || e.stream(to) == closed {
		return ebadf
	}
	if from != to {
		e.fds[to], e.fds[from] = e.fds[from], closed
	}
	return success
}

// fdFdstatGet says that streams are character devices without a position. A C
// library takes that for a terminal, and writes each line at once.
func fdFdstatGet(e *Env, m memory, p params) errno {
	s := e.stream(p.u32(0))
	if s == closed {
		return ebadf
	}
	out, ok := m.view(p.u32(1), 24)
	if !ok {
		return efault
	}
	rights := uint64(rightFdWrite | rightFdFilestatGet | rightPoll)
	if s == stdin {
		rights = rightFdRead | rightFdFilestatGet | rightPoll
	}
	clear(out)
	out[0] = filetypeCharacterDevice
	putU64(out[8:], rights)
	return success
}

// fdFdstatSetFlags accepts all flags: none changes what a stream does here.
func fdFdstatSetFlags(e *Env, _ memory, p params) errno {
	switch {
	case e.stream(p.u32(0)) == closed:
		return ebadf
	case p.u32(1) > fdflagsAll:
		return einval
	}
	return success
}

func fdFilestatGet(e *Env, m memory, p params) errno {
	s := e.stream(p.u32(0))
	if s == closed {
		return ebadf
	}
	out, ok := m.view(p.u32(1), 64)
	if !ok {
		return efault
	}
	clear(out)
	binary.LittleEndian.PutUint64(out[8:], uint64(s)) // inode
	out[16] = filetypeCharacterDevice
	putU64(out[24:], 1) // links
	return success
}
