package wasi

// stringsOf gives the list that a function of preview 1 is about.
type stringsOf func(*Env) []string

func args(e *Env) []string    { return e.args }
func environ(e *Env) []string { return e.environ }

// stringsSizes answers how many strings there are, and how many bytes they take
// with the NUL after each.
func stringsSizes(of stringsOf) handler {
	return func(e *Env, m memory, p params) errno {
		list := of(e)
		if err := m.putU32(p.u32(0), uint32(len(list))); err != success {
			return err
		}
		return m.putU32(p.u32(1), stringsSize(list))
	}
}

// stringsGet writes the addresses of the strings, and the strings. Nothing is
// written unless there is room for all.
func stringsGet(of stringsOf) handler {
	return func(e *Env, m memory, p params) errno {
		list := of(e)
		if len(list) == 0 {
			return success
		}
		addresses, ok := m.array(p.u32(0), uint32(len(list)), 4)
		if !ok {
			return efault
		}
		start := p.u32(1)
		e.owesBytes(int64(stringsSize(list)))
		e.owes(priceVector * len(list))
		text, ok := m.view(start, stringsSize(list))
		if !ok {
			return efault
		}
		for i, s := range list {
			putU32(addresses[4*i:], start)
			n := copy(text, s)
			text[n] = 0
			text = text[n+1:]
			start += uint32(n + 1)
		}
		return success
	}
}

// stringsSize stops at the end of 32 bits: no memory has room for more.
func stringsSize(list []string) uint32 {
	var size uint64
	for _, s := range list {
		size += uint64(len(s)) + 1
	}
	return uint32(min(size, 1<<32-1))
}
