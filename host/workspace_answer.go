package host

import "context"

// run answers a call, whatever happens in a tool.
func (b *backing) run(ctx context.Context, rec *record) (result any, err error) {
	if err := b.session.guests.begin(); err != nil {
		return nil, err
	}
	defer b.session.guests.end()
	defer func() {
		if p := recover(); p != nil {
			result, err = nil, newPanicError("workspace", p)
		}
	}()
	return b.answer(ctx, rec)
}

// answer answers a call from the workspace. The context is a scope, so that tools
// find the session and the call.
func (b *backing) answer(ctx context.Context, rec *record) (any, error) {
	b.files.AdvanceTo(b.session.config.callTime(int(rec.index)))
	switch r := rec.request.(type) {
	case *ReadRequest:
		return b.read(r)
	case *recordedWrite:
		return nil, b.write(r)
	case *LsRequest:
		return b.ls(r)
	case *RmRequest:
		return nil, b.rm(r)
	case *MkdirRequest:
		return nil, b.mkdir(r)
	case *ApplyPatchRequest:
		return b.applyPatch(ctx, r)
	case *ExecRequest:
		return b.exec(ctx, r)
	case *PTYExecStartRequest:
		return b.startTerminal(ctx, r)
	case *PTYWriteStdinRequest:
		return b.writeTerminal(ctx, r)
	default:
		return nil, errRequestType
	}
}
