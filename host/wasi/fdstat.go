package wasi

import "encoding/binary"

func fdFdstatGet(e *Env, m memory, p params) errno {
	d := e.fds.get(p.u32(0))
	if d == nil {
		return ebadf
	}
	out, ok := m.view(p.u32(1), 24)
	if !ok {
		return efault
	}
	clear(out)
	out[0] = d.filetype
	binary.LittleEndian.PutUint16(out[2:], d.flags)
	putU64(out[8:], d.rights)
	putU64(out[16:], d.inheriting)
	return success
}

// fdFdstatSetFlags accepts all flags. Of a file they make writes go to its end; of
// an input that waits, that it doesn't. They change nothing else, and streams that
// they don't change don't keep them: a program that sees one as non-blocking would
// only poll it before each use.
func fdFdstatSetFlags(e *Env, _ memory, p params) errno {
	d, err := e.need(p.u32(0), rightFdSetFlags)
	flags := p.u32(1)
	switch {
	case err != success:
		return err
	case flags > fdflagsAll:
		return einval
	case d.stream == noStream:
		d.flags = uint16(flags)
	case d.stream == stdin && e.input.more != nil:
		d.flags = uint16(flags) & fdNonblock
	}
	return success
}

// fdFdstatSetRights takes rights away.
func fdFdstatSetRights(e *Env, _ memory, p params) errno {
	d := e.fds.get(p.u32(0))
	switch {
	case d == nil:
		return ebadf
	case p[1]&^d.rights != 0 || p[2]&^d.inheriting != 0:
		return enotcapable
	}
	d.rights, d.inheriting = p[1], p[2]
	return success
}

// fdSync has nothing to do: there is no disk.
func fdSync(right uint64) handler {
	return func(e *Env, _ memory, p params) errno {
		d := e.fds.get(p.u32(0))
		switch {
		case d == nil:
			return ebadf
		case d.stream == noStream && d.rights&right == 0:
			return enotcapable
		}
		return success
	}
}
