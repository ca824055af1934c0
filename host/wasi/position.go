package wasi

import "math"

const maxOffset = math.MaxInt64

// From where a position is counted.
const (
	seekStart   = 0
	seekCurrent = 1
	seekEnd     = 2
)

func fdSeek(e *Env, m memory, p params) errno {
	d, err := e.needFile(p.u32(0), rightFdSeek)
	if err != success {
		return err
	}
	out, ok := m.view(p.u32(3), 8)
	if !ok {
		return efault
	}
	var base int64
	switch p.u32(2) {
	case seekStart:
	case seekCurrent:
		base = d.offset
	case seekEnd:
		base = d.handle.Info().Size
	default:
		return einval
	}
	to := base + int64(p[1]) // base isn't negative: what is too much gets negative
	if to < 0 {
		return einval
	}
	d.offset = to
	putU64(out, uint64(to))
	return success
}

func fdTell(e *Env, m memory, p params) errno {
	d, err := e.needFile(p.u32(0), rightFdTell)
	if err != success {
		return err
	}
	return m.putU64(p.u32(1), uint64(d.offset))
}
