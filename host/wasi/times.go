package wasi

import "math"

// Which times are set, and to what.
const (
	setAccessed    = 1
	setAccessedNow = 2
	setModified    = 4
	setModifiedNow = 8
	setTimesAll    = 1<<4 - 1
)

func fdFilestatSetTimes(e *Env, _ memory, p params) errno {
	d, err := e.need(p.u32(0), 0)
	switch {
	case err != success:
		return err
	case d.stream != noStream:
		return enotsup
	case d.rights&rightFdSetTimes == 0:
		return enotcapable
	}
	accessed, modified, err := e.times(p[1], p[2], p.u32(3))
	if err != success {
		return err
	}
	return e.change(func() error { return d.handle.SetTimes(accessed, modified) })
}

func pathFilestatSetTimes(e *Env, m memory, p params) errno {
	d, name, err := e.at(m, p.u32(0), rightSetTimes, p.u32(2), p.u32(3))
	if err != success {
		return err
	}
	follow, err := lookup(p.u32(1))
	if err != success {
		return err
	}
	accessed, modified, err := e.times(p[4], p[5], p.u32(6))
	if err != success {
		return err
	}
	return e.change(func() error { return d.handle.SetTimesAt(name, follow, accessed, modified) })
}

// times gives the times that a call sets, nil for one that it leaves.
func (e *Env) times(accessed, modified uint64, flags uint32) (a, m *int64, err errno) {
	if flags > setTimesAll {
		return nil, nil, einval
	}
	a, err = e.time(accessed, flags&setAccessed != 0, flags&setAccessedNow != 0)
	if err == success {
		m, err = e.time(modified, flags&setModified != 0, flags&setModifiedNow != 0)
	}
	return a, m, err
}

func (e *Env) time(given uint64, set, now bool) (*int64, errno) {
	switch {
	case set && now, set && given > math.MaxInt64:
		return nil, einval
	case now:
		return new(e.clock.realtime), success
	case set:
		return new(int64(given)), success
	default:
		return nil, success
	}
}
