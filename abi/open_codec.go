package abi

// Append adds the encoding of the message to dst and returns the result. It
// panics when a value of the configuration is none that Value allows or nests
// deeper than MaxDepth; CheckValue tells before.
func (m *Open) Append(dst []byte) []byte {
	dst = appendEntries(dst, 1, m.Config, 0)
	dst = appendUint(dst, 2, m.Seed)
	dst = appendUint(dst, 3, uint64(m.StartTimeNS))
	if m.Limits == (Limits{}) {
		return dst
	}
	dst, mark := openMessage(dst, 4)
	return closeMessage(m.Limits.append(dst), mark)
}

// Unmarshal replaces the message by the one encoded in data, which may be empty,
// and fails with a *DecodeError. Values of type []byte refer to the data.
func (m *Open) Unmarshal(data []byte) error {
	*m = Open{}
	r := newReader(data)
	for r.next("Open") {
		switch r.num {
		case 1:
			m.Config = append(m.Config, decodeEntry(&r, "config"))
		case 2:
			m.Seed = r.uint64("seed")
		case 3:
			m.StartTimeNS = r.int64("start_time_ns")
		case 4:
			m.Limits.decode(&r, "limits")
		default:
			r.skip()
		}
	}
	return r.failed()
}

func (m *Limits) append(dst []byte) []byte {
	dst = appendUint(dst, 1, m.InlineBytes)
	dst = appendUint(dst, 2, m.ReplyBytes)
	dst = appendUint(dst, 3, m.LogBytes)
	return appendUint(dst, 4, m.BlobBytes)
}

func (m *Limits) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Limits") {
		switch r.num {
		case 1:
			m.InlineBytes = r.uint64("inline_bytes")
		case 2:
			m.ReplyBytes = r.uint64("reply_bytes")
		case 3:
			m.LogBytes = r.uint64("log_bytes")
		case 4:
			m.BlobBytes = r.uint64("blob_bytes")
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

// Append adds the encoding of the message to dst and returns the result.
func (m *Panic) Append(dst []byte) []byte {
	dst = appendBytes(dst, 1, m.Message)
	dst = appendBytes(dst, 2, m.File)
	dst = appendUint(dst, 3, uint64(m.Line))
	return appendBytes(dst, 4, m.Stack)
}

// Unmarshal replaces the message by the one encoded in data, which may be empty,
// and fails with a *DecodeError.
func (m *Panic) Unmarshal(data []byte) error {
	*m = Panic{}
	r := newReader(data)
	for r.next("Panic") {
		switch r.num {
		case 1:
			m.Message = r.raw("message")
		case 2:
			m.File = r.raw("file")
		case 3:
			m.Line = r.uint32("line")
		case 4:
			m.Stack = r.raw("stack")
		default:
			r.skip()
		}
	}
	return r.failed()
}
