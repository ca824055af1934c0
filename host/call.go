package host

import (
	"slices"
)

// A Call is one call of a session as it was recorded. It is an immutable value:
// copied once, when the call is made, and shared after (S2.20). Its typed
// arguments come from the method of the same name, for example
//
//	if req, ok := call.Exec(); ok { … req.Command … }
//
// and in the shape of the original, a list and a map, from Args and Kwargs.
type Call struct {
	index   int
	request Request // owned, never changed; *recordedWrite for write
}

// recordedWrite is a write with its data recorded.
type recordedWrite struct {
	path string
	data Stream
	user string
}

func (*recordedWrite) Method() Method { return MethodWrite }

// NewCall makes a call by hand, to compare a recorded one with. It copies the
// request as a session does; a stream that can't be recorded is a
// *SnapshotError.
func NewCall(index int, request Request) (Call, error) {
	recorded, err := snapshotRequest(backgroundSnapshot, copyStruct(request))
	if err != nil {
		return Call{}, err
	}
	return Call{index: index, request: recorded}, nil
}

// Index is the number of calls that the session recorded before this one.
func (c Call) Index() int { return c.index }

// Method is the method called; zero for a zero Call.
func (c Call) Method() Method {
	if c.request == nil {
		return 0
	}
	return c.request.Method()
}

// Equal reports whether both calls have the same index, method and arguments.
// Streams are compared by kind, content and position.
func (c Call) Equal(other Call) bool {
	return c.index == other.index && equalRequests(c.request, other.request)
}

// Request gives the arguments as a pointer to one of the request types. The
// caller owns it. It is nil for a zero Call.
func (c Call) Request() Request {
	if w, ok := c.request.(*recordedWrite); ok {
		return &WriteRequest{Path: w.path, Data: w.data.Reader(), User: w.user}
	}
	return cloneRequest(c.request)
}

// ApplyPatch gives the arguments of an apply_patch call. The caller owns them.
func (c Call) ApplyPatch() (ApplyPatchRequest, bool) { return requestAs[ApplyPatchRequest](c) }

// Exec gives the arguments of an exec call. The caller owns them.
func (c Call) Exec() (ExecRequest, bool) { return requestAs[ExecRequest](c) }

// Ls gives the arguments of an ls call.
func (c Call) Ls() (LsRequest, bool) { return requestAs[LsRequest](c) }

// Mkdir gives the arguments of a mkdir call.
func (c Call) Mkdir() (MkdirRequest, bool) { return requestAs[MkdirRequest](c) }

// PTYExecStart gives the arguments of a pty_exec_start call. The caller owns
// them.
func (c Call) PTYExecStart() (PTYExecStartRequest, bool) { return requestAs[PTYExecStartRequest](c) }

// PTYWriteStdin gives the arguments of a pty_write_stdin call.
func (c Call) PTYWriteStdin() (PTYWriteStdinRequest, bool) {
	return requestAs[PTYWriteStdinRequest](c)
}

// Read gives the arguments of a read call.
func (c Call) Read() (ReadRequest, bool) { return requestAs[ReadRequest](c) }

// Rm gives the arguments of an rm call.
func (c Call) Rm() (RmRequest, bool) { return requestAs[RmRequest](c) }

// Write gives the arguments of a write call. Its Data is a new *StreamReader
// that stands where the caller's reader stood.
func (c Call) Write() (WriteRequest, bool) { return requestAs[WriteRequest](c) }

// Data is the stream that a write call was given.
func (c Call) Data() (Stream, bool) {
	w, ok := c.request.(*recordedWrite)
	if !ok {
		return Stream{}, false
	}
	return w.data, true
}

// requestAs is the request as a value of the type wanted.
func requestAs[T any](c Call) (request T, ok bool) {
	p, ok := any(c.Request()).(*T)
	if ok {
		request = *p
	}
	return request, ok
}

// cloneRequest copies all of a recorded request but a write's data.
func cloneRequest(request Request) Request {
	if _, ok := request.(*recordedWrite); ok || request == nil {
		return request
	}
	return detached(copyStruct(request))
}

// copyStruct copies a request, but nothing that it refers to. It gives back what
// isn't a request.
func copyStruct(request Request) Request {
	if isNilValue(request) {
		return request
	}
	switch r := request.(type) {
	case *ApplyPatchRequest:
		return new(*r)
	case *ExecRequest:
		return new(*r)
	case *LsRequest:
		return new(*r)
	case *MkdirRequest:
		return new(*r)
	case *PTYExecStartRequest:
		return new(*r)
	case *PTYWriteStdinRequest:
		return new(*r)
	case *ReadRequest:
		return new(*r)
	case *RmRequest:
		return new(*r)
	default:
		return request
	}
}

// detached replaces what a request refers to by copies, and gives it back.
func detached(request Request) Request {
	switch r := request.(type) {
	case *ApplyPatchRequest:
		r.Operations = slices.Clone(r.Operations)
		for i := range r.Operations {
			r.Operations[i].Diff = clonePointer(r.Operations[i].Diff)
			r.Operations[i].MoveTo = clonePointer(r.Operations[i].MoveTo)
		}
	case *ExecRequest:
		r.Command = slices.Clone(r.Command)
		r.Shell.Argv = slices.Clone(r.Shell.Argv)
	case *PTYExecStartRequest:
		r.Command = slices.Clone(r.Command)
		r.Shell.Argv = slices.Clone(r.Shell.Argv)
	}
	return request
}

func equalRequests(a, b Request) bool {
	switch a := a.(type) {
	case nil:
		return b == nil
	case *ApplyPatchRequest:
		b, ok := b.(*ApplyPatchRequest)
		return ok && a.PatchFormat == b.PatchFormat && slices.EqualFunc(a.Operations, b.Operations, equalOperations)
	case *ExecRequest:
		b, ok := b.(*ExecRequest)
		return ok && slices.Equal(a.Command, b.Command) && a.Timeout == b.Timeout && a.User == b.User &&
			equalShells(a.Shell, b.Shell)
	case *PTYExecStartRequest:
		b, ok := b.(*PTYExecStartRequest)
		return ok && slices.Equal(a.Command, b.Command) && a.Timeout == b.Timeout && a.User == b.User &&
			equalShells(a.Shell, b.Shell) && a.TTY == b.TTY && a.YieldTime == b.YieldTime &&
			a.MaxOutputTokens == b.MaxOutputTokens
	case *LsRequest:
		return equalValues(a, b)
	case *MkdirRequest:
		return equalValues(a, b)
	case *PTYWriteStdinRequest:
		return equalValues(a, b)
	case *ReadRequest:
		return equalValues(a, b)
	case *RmRequest:
		return equalValues(a, b)
	case *recordedWrite:
		b, ok := b.(*recordedWrite)
		return ok && a.path == b.path && a.user == b.user && a.data.Equal(b.data)
	default:
		return false
	}
}

func equalValues[T comparable](a *T, b any) bool {
	p, ok := b.(*T)
	return ok && *a == *p
}

func equalOperations(a, b PatchOperation) bool {
	return a.Type == b.Type && a.Path == b.Path && equalPointers(a.Diff, b.Diff) && equalPointers(a.MoveTo, b.MoveTo)
}

func equalPointers[T comparable](a, b *T) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

func equalShells(a, b Shell) bool { return a.Mode == b.Mode && slices.Equal(a.Argv, b.Argv) }
