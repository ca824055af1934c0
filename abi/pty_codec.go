package abi

import "time"

func (m *PTYExecStartRequest) append(dst []byte) []byte {
	for _, part := range m.Command {
		dst = appendSetBytes(dst, 1, part)
	}
	dst = appendUint(dst, 2, uint64(m.Timeout))
	dst = m.Shell.append(dst, 3)
	dst = appendText(dst, 4, m.User)
	dst = appendBool(dst, 5, m.TTY)
	dst = appendUint(dst, 6, uint64(m.YieldTime))
	return appendUint(dst, 7, uint64(m.MaxOutputTokens))
}

func (m *PTYExecStartRequest) decode(r *reader) *PTYExecStartRequest {
	outer := r.enter("pty_exec_start")
	for r.next("PtyExecStartRequest") {
		switch r.num {
		case 1:
			m.Command = append(m.Command, r.raw("command"))
		case 2:
			m.Timeout = time.Duration(r.int64("timeout_ns"))
		case 3:
			m.Shell.decode(r, "shell")
		case 4:
			m.User = r.text("user")
		case 5:
			m.TTY = r.bool("tty")
		case 6:
			m.YieldTime = time.Duration(r.int64("yield_time_ns"))
		case 7:
			m.MaxOutputTokens = r.int64("max_output_tokens")
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return m
}

func (m *PTYWriteStdinRequest) append(dst []byte) []byte {
	dst = appendUint(dst, 1, uint64(m.SessionID))
	dst = appendBytes(dst, 2, m.Chars)
	dst = appendUint(dst, 3, uint64(m.YieldTime))
	return appendUint(dst, 4, uint64(m.MaxOutputTokens))
}

func (m *PTYWriteStdinRequest) decode(r *reader) *PTYWriteStdinRequest {
	outer := r.enter("pty_write_stdin")
	for r.next("PtyWriteStdinRequest") {
		switch r.num {
		case 1:
			m.SessionID = r.int64("session_id")
		case 2:
			m.Chars = r.raw("chars")
		case 3:
			m.YieldTime = time.Duration(r.int64("yield_time_ns"))
		case 4:
			m.MaxOutputTokens = r.int64("max_output_tokens")
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return m
}

func (m *PTYUpdate) append(dst []byte) []byte {
	if m.ProcessID != nil {
		dst = appendSetUint(dst, 1, zigzag(*m.ProcessID))
	}
	dst = appendContent(dst, 2, &m.Output)
	if m.ExitCode != nil {
		dst = appendSetUint(dst, 3, zigzag(int64(*m.ExitCode)))
	}
	if m.OriginalTokenCount != nil {
		dst = appendSetUint(dst, 4, *m.OriginalTokenCount)
	}
	return dst
}

func (m *PTYUpdate) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("PtyUpdate") {
		switch r.num {
		case 1:
			m.ProcessID = new(r.sint64("process_id"))
		case 2:
			m.Output.decode(r, "output")
		case 3:
			m.ExitCode = new(r.sint32("exit_code"))
		case 4:
			m.OriginalTokenCount = new(r.uint64("original_token_count"))
		default:
			r.skip()
		}
	}
	r.leave(outer)
}
