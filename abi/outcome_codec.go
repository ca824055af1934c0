package abi

func (m *Outcome) append(dst []byte) []byte {
	var mark int
	switch m.Kind() {
	case OutcomeVoid:
		dst, mark = openMessage(dst, 1)
	case OutcomeExec:
		dst, mark = openMessage(dst, 2)
		dst = m.Exec.append(dst)
	case OutcomeStream:
		dst, mark = openMessage(dst, 3)
		dst = m.Stream.append(dst)
	case OutcomeListing:
		dst, mark = openMessage(dst, 4)
		dst = m.Listing.append(dst)
	case OutcomeText:
		return appendSetText(dst, 5, *m.Text)
	case OutcomePTY:
		dst, mark = openMessage(dst, 6)
		dst = m.PTY.append(dst)
	case OutcomeError:
		dst, mark = openMessage(dst, 7)
		dst = m.Error.append(dst)
	default:
		return dst
	}
	return closeMessage(dst, mark)
}

func (m *Outcome) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Outcome") {
		switch r.num {
		case 1:
			*m = Outcome{Void: true}
			r.void("void")
		case 2:
			*m = Outcome{Exec: r.execResult(m.Exec)}
			m.Exec.decode(r, "exec")
		case 3:
			*m = Outcome{Stream: r.stream(m.Stream)}
			m.Stream.decode(r, "stream")
		case 4:
			*m = Outcome{Listing: orNew(m.Listing)}
			m.Listing.decode(r, "listing")
		case 5:
			*m = Outcome{Text: new(r.text("text"))}
		case 6:
			*m = Outcome{PTY: orNew(m.PTY)}
			m.PTY.decode(r, "pty")
		case 7:
			*m = Outcome{Error: orNew(m.Error)}
			m.Error.decode(r, "error")
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

func (m *ExecResult) append(dst []byte) []byte {
	dst = appendContent(dst, 1, &m.Stdout)
	dst = appendContent(dst, 2, &m.Stderr)
	return appendUint(dst, 3, zigzag(int64(m.ExitCode)))
}

func (m *ExecResult) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("ExecResult") {
		switch r.num {
		case 1:
			m.Stdout.decode(r, "stdout")
		case 2:
			m.Stderr.decode(r, "stderr")
		case 3:
			m.ExitCode = r.sint32("exit_code")
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

func (m *Listing) append(dst []byte) []byte {
	for i := range m.Entries {
		var mark int
		dst, mark = openMessage(dst, 1)
		dst = closeMessage(m.Entries[i].append(dst), mark)
	}
	return dst
}

func (m *Listing) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Listing") {
		if r.num != 1 {
			r.skip()
			continue
		}
		var e FileEntry
		e.decode(r, "entries")
		m.Entries = append(m.Entries, e)
	}
	r.leave(outer)
}

func (m *FileEntry) append(dst []byte) []byte {
	dst = appendBytes(dst, 1, m.Path)
	dst = appendUint(dst, 2, uint64(m.Permissions))
	dst = appendText(dst, 3, m.Owner)
	dst = appendText(dst, 4, m.Group)
	dst = appendUint(dst, 5, m.Size)
	return appendUint(dst, 6, uint64(m.Kind))
}

func (m *FileEntry) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("FileEntry") {
		switch r.num {
		case 1:
			m.Path = r.raw("path")
		case 2:
			m.Permissions = Permissions(r.uint32("permissions"))
		case 3:
			m.Owner = r.text("owner")
		case 4:
			m.Group = r.text("group")
		case 5:
			m.Size = r.uint64("size")
		case 6:
			m.Kind = FileKind(r.enum("kind", uint8(FileKindOther)))
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

func (m *SandboxError) append(dst []byte) []byte {
	dst = appendText(dst, 1, string(m.Code))
	dst = appendText(dst, 2, m.Op)
	dst = appendText(dst, 3, m.Message)
	dst = appendEntries(dst, 4, m.Context, 0)
	return appendUint(dst, 5, uint64(m.Retryable))
}

func (m *SandboxError) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("SandboxError") {
		switch r.num {
		case 1:
			m.Code = Code(r.text("code"))
		case 2:
			m.Op = r.text("op")
		case 3:
			m.Message = r.text("message")
		case 4:
			m.Context = append(m.Context, decodeEntry(r, "context"))
		case 5:
			m.Retryable = Retryable(r.enum("retryable", uint8(RetryableYes)))
		default:
			r.skip()
		}
	}
	r.leave(outer)
}
