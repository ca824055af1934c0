package wasi

// maxVectors bounds the vectors of one read or write, as IOV_MAX does elsewhere.
const maxVectors = 1024

const vectorSize = 8

// vectors checks the vectors of a read or write, so that a bad one is found
// before anything has been moved, and gives them with their total length.
func vectors(m memory, offset, count uint32) (list []byte, total uint32, err errno) {
	if count > maxVectors {
		return nil, 0, einval
	}
	list, ok := m.array(offset, count, vectorSize)
	if !ok {
		return nil, 0, efault
	}
	var sum uint64
	for v := list; len(v) > 0; v = v[vectorSize:] {
		if _, ok := m.view(getU32(v), getU32(v[4:])); !ok {
			return nil, 0, efault
		}
		sum += uint64(getU32(v[4:]))
	}
	if sum > 1<<32-1 {
		return nil, 0, einval
	}
	return list, uint32(sum), success
}

func fdWrite(e *Env, m memory, p params) errno {
	s := e.stream(p.u32(0))
	if s != stdout && s != stderr {
		return ebadf
	}
	list, total, err := vectors(m, p.u32(1), p.u32(2))
	if err != success {
		return err
	}
	if _, ok := m.view(p.u32(3), 4); !ok {
		return efault
	}
	for ; len(list) > 0; list = list[vectorSize:] {
		b, _ := m.view(getU32(list), getU32(list[4:]))
		if s == stdout {
			e.stdout.write(b)
		} else {
			e.stderr.write(b)
		}
	}
	return m.putU32(p.u32(3), total)
}

func fdRead(e *Env, m memory, p params) errno {
	if e.stream(p.u32(0)) != stdin {
		return ebadf
	}
	list, _, err := vectors(m, p.u32(1), p.u32(2))
	if err != success {
		return err
	}
	if _, ok := m.view(p.u32(3), 4); !ok {
		return efault
	}
	var total uint32
	// A vector may lie over the list of vectors: each is looked at again, and
	// ends the read when it has become a bad one.
	for ; len(list) > 0 && len(e.stdin) > 0; list = list[vectorSize:] {
		b, ok := m.view(getU32(list), getU32(list[4:]))
		if !ok {
			break
		}
		n := copy(b, e.stdin)
		e.stdin = e.stdin[n:]
		total += uint32(n)
	}
	return m.putU32(p.u32(3), total)
}
