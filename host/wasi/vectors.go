package wasi

// maxVectors bounds the vectors of one read or write, as IOV_MAX does elsewhere.
const maxVectors = 1024

const vectorSize = 8

// vectors are what a read fills, or a write is made of, and where it says how many
// bytes it has moved.
type vectors struct {
	m     memory
	list  []byte
	rest  []byte // of the last one that was taken from the list
	total uint32 // bytes
	count uint32 // its address
}

// vectors checks all of it, so that a bad pointer is found before anything has been
// moved.
func (e *Env) vectors(m memory, offset, n, count uint32) (v vectors, err errno) {
	if n > maxVectors {
		return v, einval
	}
	list, ok := m.array(offset, n, vectorSize)
	if !ok {
		return v, efault
	}
	e.owes(priceVector * int(n))
	var sum uint64
	for l := list; len(l) > 0; l = l[vectorSize:] {
		if _, ok := m.view(getU32(l), getU32(l[4:])); !ok {
			return v, efault
		}
		sum += uint64(getU32(l[4:]))
	}
	if sum > 1<<32-1 {
		return v, einval
	}
	if _, ok := m.view(count, 4); !ok {
		return v, efault
	}
	return vectors{m: m, list: list, total: uint32(sum), count: count}, success
}

// next gives what comes next, of one vector, and no more than a piece. What is read may
// lie over the list: each vector is looked at again, and ends it when it has become a
// bad one.
func (v *vectors) next() (b []byte, ok bool) {
	for len(v.list) > 0 && len(v.rest) == 0 {
		v.rest, ok = v.m.view(getU32(v.list), getU32(v.list[4:]))
		v.list = v.list[vectorSize:]
		if !ok {
			return nil, false
		}
	}
	b = v.rest[:min(len(v.rest), piece)]
	v.rest = v.rest[len(b):]
	return b, len(b) > 0
}

// moved says how many bytes were moved.
func (v *vectors) moved(n uint32) errno { return v.m.putU32(v.count, n) }
