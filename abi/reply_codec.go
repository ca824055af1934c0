package abi

// Append adds the encoding of the reply to dst and returns the result. It writes
// the first kind that is set; a reply without any can't be decoded. It panics
// when a value in the context of a sandbox error is none that Value allows or
// nests deeper than MaxDepth; CheckValue tells before.
func (m *Reply) Append(dst []byte) []byte {
	var mark int
	switch m.Kind() {
	case ReplyDescription:
		dst, mark = openMessage(dst, 1)
		dst = m.Description.append(dst)
	case ReplyVerdict:
		dst, mark = openMessage(dst, 2)
		dst = m.Verdict.append(dst)
	case ReplyOutcome:
		dst, mark = openMessage(dst, 3)
		dst = m.Outcome.append(dst)
	case ReplyError:
		dst, mark = openMessage(dst, 4)
		dst = m.Error.append(dst)
	case ReplyDone:
		dst, mark = openMessage(dst, 5)
	default:
		return dst
	}
	return closeMessage(dst, mark)
}

// Unmarshal replaces the reply by the one encoded in data and fails with a
// *DecodeError, with ErrMissing when no kind is set or an outcome has none. The
// contents in the reply, and values of type []byte, refer to the data.
func (m *Reply) Unmarshal(data []byte) error {
	r := newReader(data)
	return m.unmarshal(&r)
}

// A ReplyDecoder decodes one reply after the other into the same memory. The zero
// value is ready.
type ReplyDecoder struct {
	reply   Reply
	verdict Verdict
	outcome Outcome
	exec    ExecResult
	stream  Stream
}

// Decode decodes as Reply.Unmarshal does. The reply, its verdict and its outcome are
// valid until the next Decode; slices and strings in them aren't touched by that.
func (d *ReplyDecoder) Decode(data []byte) (*Reply, error) {
	r := newReader(data)
	r.into = d
	if err := d.reply.unmarshal(&r); err != nil {
		return nil, err
	}
	return &d.reply, nil
}

func (m *Reply) unmarshal(r *reader) error {
	*m = Reply{}
	for r.next("Reply") {
		switch r.num {
		case 1:
			*m = Reply{Description: orNew(m.Description)}
			m.Description.decode(r, "description")
		case 2:
			*m = Reply{Verdict: r.verdict(m.Verdict)}
			m.Verdict.decode(r, "verdict")
		case 3:
			*m = Reply{Outcome: r.outcome(m.Outcome)}
			m.Outcome.decode(r, "outcome")
		case 4:
			*m = Reply{Error: orNew(m.Error)}
			m.Error.decode(r, "error")
		case 5:
			*m = Reply{Done: true}
			r.void("done")
		default:
			r.skip()
		}
	}
	m.require(r)
	return r.failed()
}

// require fails unless the reply, and an outcome in it, has a kind, and a sandbox
// error a code. The check comes last because a message may be spread over several
// occurrences.
func (m *Reply) require(r *reader) {
	switch {
	case m.Kind() == 0:
		r.missing("Reply", "kind")
	case m.Outcome != nil && m.Outcome.Kind() == 0:
		r.missing("Outcome", "kind")
	case m.Outcome != nil && m.Outcome.Error != nil && m.Outcome.Error.Code == "":
		r.missing("SandboxError", "code")
	}
}

// orNew returns m, or a new message when there is none yet.
func orNew[T any](m *T) *T {
	if m == nil {
		return new(T)
	}
	return m
}

// The functions below return m, or a message of the decoder's with nothing in it
// when there is none yet.

func (r *reader) verdict(m *Verdict) *Verdict {
	if m != nil || r.into == nil {
		return orNew(m)
	}
	return emptied(&r.into.verdict)
}

func (r *reader) outcome(m *Outcome) *Outcome {
	if m != nil || r.into == nil {
		return orNew(m)
	}
	return emptied(&r.into.outcome)
}

func (r *reader) execResult(m *ExecResult) *ExecResult {
	if m != nil || r.into == nil {
		return orNew(m)
	}
	return emptied(&r.into.exec)
}

func (r *reader) stream(m *Stream) *Stream {
	if m != nil || r.into == nil {
		return orNew(m)
	}
	return emptied(&r.into.stream)
}

func emptied[T any](m *T) *T {
	var zero T
	*m = zero
	return m
}

// void reads a message that has no fields.
func (r *reader) void(field string) {
	outer := r.enter(field)
	for r.next("Void") {
		r.skip()
	}
	r.leave(outer)
}

func (m *Verdict) append(dst []byte) []byte {
	dst = appendUint(dst, 1, uint64(m.Answer))
	dst = appendText(dst, 2, m.Reason)
	for i := range m.Differences {
		var mark int
		dst, mark = openMessage(dst, 3)
		dst = closeMessage(m.Differences[i].append(dst), mark)
	}
	return dst
}

func (m *Verdict) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Verdict") {
		switch r.num {
		case 1:
			m.Answer = Answer(r.enum("answer", uint8(AnswerReject)))
		case 2:
			m.Reason = r.text("reason")
		case 3:
			var d Difference
			d.decode(r, "differences")
			m.Differences = append(m.Differences, d)
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

func (m *Difference) append(dst []byte) []byte {
	dst = appendText(dst, 1, m.Field)
	dst = appendText(dst, 2, m.Expected)
	return appendText(dst, 3, m.Actual)
}

func (m *Difference) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Difference") {
		switch r.num {
		case 1:
			m.Field = r.text("field")
		case 2:
			m.Expected = r.text("expected")
		case 3:
			m.Actual = r.text("actual")
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

func (m *GuestError) append(dst []byte) []byte {
	dst = appendUint(dst, 1, uint64(m.Kind))
	return appendText(dst, 2, m.Message)
}

func (m *GuestError) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("GuestError") {
		switch r.num {
		case 1:
			m.Kind = GuestErrorKind(r.enum("kind", uint8(GuestUnsupportedMethod)))
		case 2:
			m.Message = r.text("message")
		default:
			r.skip()
		}
	}
	r.leave(outer)
}
