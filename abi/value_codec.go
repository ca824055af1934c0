package abi

// MaxDepth is how deeply values may nest: a Value that holds no others has depth
// one. Readers refuse what is deeper, so that hostile bytes can't exhaust the
// stack.
const MaxDepth = 64

// MaxMessages is how many embedded messages, all of them counted, one message may
// have: an empty one takes two bytes, and many times that in memory.
const MaxMessages = 1 << 18

// empty reports whether the stream says nothing, so that it can be left out.
func (m *Stream) empty() bool { return m.Content.empty() && m.Position == 0 && !m.Text }

func (m *Stream) append(dst []byte) []byte {
	dst = appendContent(dst, 1, &m.Content)
	dst = appendUint(dst, 2, m.Position)
	return appendBool(dst, 3, m.Text)
}

func (m *Stream) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Stream") {
		switch r.num {
		case 1:
			m.Content.decode(r, "content")
		case 2:
			m.Position = r.uint64("position")
		case 3:
			m.Text = r.bool("text")
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

func (m *Content) empty() bool { return m.Blob == nil && len(m.Inline) == 0 }

// appendContent writes content as a field, unless it is empty.
func appendContent(dst []byte, num fieldNumber, m *Content) []byte {
	if m.empty() {
		return dst
	}
	dst, mark := openMessage(dst, num)
	if m.Blob == nil {
		dst = appendSetBytes(dst, 1, m.Inline)
	} else {
		dst = m.Blob.append(dst, 2)
	}
	return closeMessage(dst, mark)
}

// decode reads the content; an empty one becomes the zero value.
func (m *Content) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Content") {
		switch r.num {
		case 1:
			m.Inline, m.Blob = r.bytes("inline"), nil
		case 2:
			if m.Blob == nil {
				m.Inline, m.Blob = nil, new(Blob)
			}
			m.Blob.decode(r, "blob")
		default:
			r.skip()
		}
	}
	if len(m.Inline) == 0 {
		m.Inline = nil
	}
	r.leave(outer)
}

func (m *Blob) append(dst []byte, num fieldNumber) []byte {
	dst, mark := openMessage(dst, num)
	dst = appendUint(dst, 1, uint64(m.Handle))
	dst = appendUint(dst, 2, m.Size)
	dst = appendBytes(dst, 3, m.SHA256)
	return closeMessage(dst, mark)
}

func (m *Blob) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Blob") {
		switch r.num {
		case 1:
			m.Handle = r.uint32("handle")
		case 2:
			m.Size = r.uint64("size")
		case 3:
			m.SHA256 = r.digest("sha256")
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

// digest reads a SHA-256 or, when there is none, nil.
func (r *reader) digest(field string) []byte {
	b := r.bytes(field)
	switch len(b) {
	case 0:
		return nil
	case 32:
		return b
	default:
		r.fail(field, ErrDigest)
		return nil
	}
}

func appendEntries(dst []byte, num fieldNumber, entries []Entry, depth int) []byte {
	for i := range entries {
		e := &entries[i]
		var mark int
		dst, mark = openMessage(dst, num)
		dst = appendText(dst, 1, e.Key)
		if e.Value != nil {
			dst = appendValue(dst, 2, e.Value, depth)
		}
		dst = closeMessage(dst, mark)
	}
	return dst
}

func decodeEntry(r *reader, field string) Entry {
	var e Entry
	outer := r.enter(field)
	for r.next("Entry") {
		switch r.num {
		case 1:
			e.Key = r.text("key")
		case 2:
			e.Value = decodeValue(r, "value", e.Value)
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return e
}

// appendValue writes a value as a field, also null. Depth is how many values are
// around it.
func appendValue(dst []byte, num fieldNumber, v Value, depth int) []byte {
	if depth >= MaxDepth {
		panic("abi: a value nests more than 64 deep")
	}
	dst, mark := openMessage(dst, num)
	switch v := v.(type) {
	case nil:
	case bool:
		dst = append(appendTag(dst, 1, wireVarint), boolByte(v))
	case int64:
		dst = appendSetUint(dst, 2, zigzag(v))
	case string:
		dst = appendSetText(dst, 3, v)
	case []byte:
		dst = appendSetBytes(dst, 4, v)
	case []Value:
		dst = appendValueList(dst, v, depth+1)
	case []Entry:
		var inner int
		dst, inner = openMessage(dst, 6)
		dst = closeMessage(appendEntries(dst, 1, v, depth+1), inner)
	default:
		panic("abi: a value is of a type that Value doesn't list")
	}
	return closeMessage(dst, mark)
}

func boolByte(v bool) byte {
	if v {
		return 1
	}
	return 0
}

func appendValueList(dst []byte, values []Value, depth int) []byte {
	dst, mark := openMessage(dst, 5)
	for _, v := range values {
		dst = appendValue(dst, 1, v, depth)
	}
	return closeMessage(dst, mark)
}

// decodeValue reads a value on top of v, what an earlier occurrence of the same
// field had: lists and maps are joined, all else is replaced.
func decodeValue(r *reader, field string, v Value) Value {
	if r.depth == MaxDepth {
		r.fail(field, ErrDepth)
		return nil
	}
	r.depth++
	outer := r.enter(field)
	for r.next("Value") {
		switch r.num {
		case 1:
			v = r.bool("bool")
		case 2:
			v = r.sint64("int")
		case 3:
			v = r.text("text")
		case 4:
			v = r.bytes("data")
		case 5:
			list, _ := v.([]Value)
			v = decodeValueList(r, "list", list)
		case 6:
			entries, _ := v.([]Entry)
			v = decodeValueMap(r, "map", entries)
		default:
			r.skip()
		}
	}
	r.leave(outer)
	r.depth--
	return v
}

// decodeValueList appends to the list; the result is never nil.
func decodeValueList(r *reader, field string, list []Value) []Value {
	if list == nil {
		list = []Value{}
	}
	outer := r.enter(field)
	for r.next("ValueList") {
		if r.num == 1 {
			list = append(list, decodeValue(r, "values", nil))
		} else {
			r.skip()
		}
	}
	r.leave(outer)
	return list
}

// decodeValueMap appends to the entries; the result is never nil.
func decodeValueMap(r *reader, field string, entries []Entry) []Entry {
	if entries == nil {
		entries = []Entry{}
	}
	outer := r.enter(field)
	for r.next("ValueMap") {
		if r.num == 1 {
			entries = append(entries, decodeEntry(r, "entries"))
		} else {
			r.skip()
		}
	}
	r.leave(outer)
	return entries
}
