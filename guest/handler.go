package guest

// OnExec answers exec.
func OnExec(name string, h func(*Call, *ExecRequest) (*ExecResult, error)) {
	on(name, Exec, h)
}

// OnRead answers read.
func OnRead(name string, h func(*Call, *ReadRequest) (*Stream, error)) {
	on(name, Read, h)
}

// OnWrite answers write.
func OnWrite(name string, h func(*Call, *WriteRequest) error) {
	onVoid(name, Write, h)
}

// OnLs answers ls.
func OnLs(name string, h func(*Call, *LsRequest) ([]FileEntry, error)) {
	on(name, Ls, func(c *Call, req *LsRequest) (Listing, error) { return h(c, req) })
}

// OnRm answers rm.
func OnRm(name string, h func(*Call, *RmRequest) error) {
	onVoid(name, Rm, h)
}

// OnMkdir answers mkdir.
func OnMkdir(name string, h func(*Call, *MkdirRequest) error) {
	onVoid(name, Mkdir, h)
}

// OnApplyPatch answers apply_patch with what the patch tool prints.
func OnApplyPatch(name string, h func(*Call, *ApplyPatchRequest) (string, error)) {
	on(name, ApplyPatch, func(c *Call, req *ApplyPatchRequest) (Text, error) {
		text, err := h(c, req)
		return Text(text), err
	})
}

// OnPTYExecStart answers pty_exec_start.
func OnPTYExecStart(name string, h func(*Call, *PTYExecStartRequest) (*PTYUpdate, error)) {
	on(name, PTYExecStart, h)
}

// OnPTYWriteStdin answers pty_write_stdin.
func OnPTYWriteStdin(name string, h func(*Call, *PTYWriteStdinRequest) (*PTYUpdate, error)) {
	on(name, PTYWriteStdin, h)
}

// Respond answers the methods given, or all of them when none is. The result must
// be the one of the call's method.
func Respond(name string, h func(*Call) (Result, error), methods ...Method) {
	self.addResponder(name, h, methods)
}

// Match decides about calls of the methods given, or of all of them when none is.
func Match(name string, h func(*Call) Verdict, methods ...Method) {
	self.addMatcher(name, h, methods)
}

func on[Q Request, R Result](name string, method Method, h func(*Call, Q) (R, error)) {
	Respond(name, func(c *Call) (Result, error) { return h(c, c.request.(Q)) }, method)
}

func onVoid[Q Request](name string, method Method, h func(*Call, Q) error) {
	Respond(name, func(c *Call) (Result, error) { return Void{}, h(c, c.request.(Q)) }, method)
}
