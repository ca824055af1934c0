package abi

import "time"

// Append adds the encoding of the call to dst and returns the result. A call
// without a request can be encoded, but not decoded.
func (m *Call) Append(dst []byte) []byte {
	dst = appendUint(dst, 1, m.Index)
	dst = appendUint(dst, 2, uint64(m.TimeNS))
	if m.Request == nil {
		return dst
	}
	dst, mark := openMessage(dst, fieldNumber(m.Request.Method()))
	return closeMessage(m.Request.append(dst), mark)
}

// Unmarshal replaces the call by the one encoded in data and fails with a
// *DecodeError, with ErrMissing when there is no request. The contents in the
// call refer to the data.
func (m *Call) Unmarshal(data []byte) error {
	*m = Call{}
	r := newReader(data)
	for r.next("Call") {
		switch r.num {
		case 1:
			m.Index = r.uint64("index")
		case 2:
			m.TimeNS = r.int64("time_ns")
		default:
			m.decodeRequest(&r)
		}
	}
	if m.Request == nil {
		r.missing("Call", "request")
	}
	return r.failed()
}

// decodeRequest reads the request. One of the same method is completed, any
// other replaced.
func (m *Call) decodeRequest(r *reader) {
	if r.num > fieldNumber(lastMethod) {
		r.skip()
		return
	}
	switch Method(r.num) {
	case ApplyPatch:
		m.Request = decodeOnto[ApplyPatchRequest](m.Request).decode(r)
	case Exec:
		m.Request = decodeOnto[ExecRequest](m.Request).decode(r)
	case Ls:
		m.Request = decodeOnto[LsRequest](m.Request).decode(r)
	case Mkdir:
		m.Request = decodeOnto[MkdirRequest](m.Request).decode(r)
	case PTYExecStart:
		m.Request = decodeOnto[PTYExecStartRequest](m.Request).decode(r)
	case PTYWriteStdin:
		m.Request = decodeOnto[PTYWriteStdinRequest](m.Request).decode(r)
	case Read:
		m.Request = decodeOnto[ReadRequest](m.Request).decode(r)
	case Rm:
		m.Request = decodeOnto[RmRequest](m.Request).decode(r)
	case Write:
		m.Request = decodeOnto[WriteRequest](m.Request).decode(r)
	}
}

// decodeOnto returns the request when it is a *T, or else a new one.
func decodeOnto[T any](current Request) *T {
	if m, ok := any(current).(*T); ok {
		return m
	}
	return new(T)
}

func (m *ApplyPatchRequest) append(dst []byte) []byte {
	for i := range m.Operations {
		var mark int
		dst, mark = openMessage(dst, 1)
		dst = closeMessage(m.Operations[i].append(dst), mark)
	}
	return appendText(dst, 2, m.PatchFormat)
}

func (m *ApplyPatchRequest) decode(r *reader) *ApplyPatchRequest {
	outer := r.enter("apply_patch")
	for r.next("ApplyPatchRequest") {
		switch r.num {
		case 1:
			var op PatchOperation
			op.decode(r, "operations")
			m.Operations = append(m.Operations, op)
		case 2:
			m.PatchFormat = r.text("patch_format")
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return m
}

func (m *PatchOperation) append(dst []byte) []byte {
	dst = appendText(dst, 1, m.Type)
	dst = appendBytes(dst, 2, m.Path)
	if m.Diff != nil {
		dst = appendSetBytes(dst, 3, *m.Diff)
	}
	if m.MoveTo != nil {
		dst = appendSetBytes(dst, 4, *m.MoveTo)
	}
	return dst
}

func (m *PatchOperation) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("PatchOperation") {
		switch r.num {
		case 1:
			m.Type = r.text("type")
		case 2:
			m.Path = r.raw("path")
		case 3:
			m.Diff = new(r.raw("diff"))
		case 4:
			m.MoveTo = new(r.raw("move_to"))
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

func (m *ExecRequest) append(dst []byte) []byte {
	for _, part := range m.Command {
		dst = appendSetBytes(dst, 1, part)
	}
	dst = appendUint(dst, 2, uint64(m.Timeout))
	dst = m.Shell.append(dst, 3)
	return appendText(dst, 4, m.User)
}

func (m *ExecRequest) decode(r *reader) *ExecRequest {
	outer := r.enter("exec")
	for r.next("ExecRequest") {
		switch r.num {
		case 1:
			m.Command = append(m.Command, r.raw("command"))
		case 2:
			m.Timeout = time.Duration(r.int64("timeout_ns"))
		case 3:
			m.Shell.decode(r, "shell")
		case 4:
			m.User = r.text("user")
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return m
}

// append writes the shell as a field, unless it is the default one.
func (m *Shell) append(dst []byte, num fieldNumber) []byte {
	if m.Mode == ShellDefault && len(m.Argv) == 0 {
		return dst
	}
	dst, mark := openMessage(dst, num)
	dst = appendUint(dst, 1, uint64(m.Mode))
	for _, part := range m.Argv {
		dst = appendSetBytes(dst, 2, part)
	}
	return closeMessage(dst, mark)
}

func (m *Shell) decode(r *reader, field string) {
	outer := r.enter(field)
	for r.next("Shell") {
		switch r.num {
		case 1:
			m.Mode = ShellMode(r.enum("mode", uint8(ShellArgv)))
		case 2:
			m.Argv = append(m.Argv, r.raw("argv"))
		default:
			r.skip()
		}
	}
	r.leave(outer)
}

func (m *LsRequest) append(dst []byte) []byte {
	dst = appendBytes(dst, 1, m.Path)
	return appendText(dst, 2, m.User)
}

func (m *LsRequest) decode(r *reader) *LsRequest {
	outer := r.enter("ls")
	for r.next("LsRequest") {
		switch r.num {
		case 1:
			m.Path = r.raw("path")
		case 2:
			m.User = r.text("user")
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return m
}

func (m *MkdirRequest) append(dst []byte) []byte {
	dst = appendBytes(dst, 1, m.Path)
	dst = appendBool(dst, 2, m.Parents)
	return appendText(dst, 3, m.User)
}

func (m *MkdirRequest) decode(r *reader) *MkdirRequest {
	outer := r.enter("mkdir")
	for r.next("MkdirRequest") {
		switch r.num {
		case 1:
			m.Path = r.raw("path")
		case 2:
			m.Parents = r.bool("parents")
		case 3:
			m.User = r.text("user")
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return m
}

func (m *ReadRequest) append(dst []byte) []byte {
	dst = appendBytes(dst, 1, m.Path)
	return appendText(dst, 2, m.User)
}

func (m *ReadRequest) decode(r *reader) *ReadRequest {
	outer := r.enter("read")
	for r.next("ReadRequest") {
		switch r.num {
		case 1:
			m.Path = r.raw("path")
		case 2:
			m.User = r.text("user")
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return m
}

func (m *RmRequest) append(dst []byte) []byte {
	dst = appendBytes(dst, 1, m.Path)
	dst = appendBool(dst, 2, m.Recursive)
	return appendText(dst, 3, m.User)
}

func (m *RmRequest) decode(r *reader) *RmRequest {
	outer := r.enter("rm")
	for r.next("RmRequest") {
		switch r.num {
		case 1:
			m.Path = r.raw("path")
		case 2:
			m.Recursive = r.bool("recursive")
		case 3:
			m.User = r.text("user")
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return m
}

func (m *WriteRequest) append(dst []byte) []byte {
	dst = appendBytes(dst, 1, m.Path)
	if !m.Data.empty() {
		var mark int
		dst, mark = openMessage(dst, 2)
		dst = closeMessage(m.Data.append(dst), mark)
	}
	return appendText(dst, 3, m.User)
}

func (m *WriteRequest) decode(r *reader) *WriteRequest {
	outer := r.enter("write")
	for r.next("WriteRequest") {
		switch r.num {
		case 1:
			m.Path = r.raw("path")
		case 2:
			m.Data.decode(r, "data")
		case 3:
			m.User = r.text("user")
		default:
			r.skip()
		}
	}
	r.leave(outer)
	return m
}
