package host

import (
	"bytes"
	"context"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A Probe talks to a guest without a session: encoded messages in, encoded
// replies out, in any order. It is for tests of guests, such as those of package
// conformance; what answers a session's calls is a [GuestResponder].
//
// It has one instance of the module, and is for one goroutine at a time.
// Module.Probe makes one; the zero Probe can only be closed.
type Probe struct {
	guest *guest
}

// A ProbeResult is what a guest did with one message. The caller owns it.
type ProbeResult struct {
	Reply []byte     // as encoded by the guest
	Logs  []LogEntry // what it logged and printed meanwhile

	blobs [][]byte
}

// Blob is the content of a blob that the message or the reply refers to.
func (r *ProbeResult) Blob(handle uint32) (content []byte, ok bool) {
	if handle == 0 || uint64(handle) > uint64(len(r.blobs)) {
		return nil, false
	}
	return r.blobs[handle-1], true
}

// Probe instantiates the module. Of the options, the limits, the seed and the
// start time count. The caller closes the probe. The error is a *GuestError when
// the guest dies.
func (m *Module) Probe(ctx context.Context, opts ...Option) (*Probe, error) {
	session := &Scripted{config: defaultConfig()}
	for _, opt := range opts {
		if opt != nil {
			opt(&session.config)
		}
	}
	g := newGuest(m, session)
	g.at = callSite{call: -1}
	if err := g.compile(ctx); err != nil {
		return nil, err
	}
	g.env = g.newEnv()
	if err := g.instantiate(ctx); err != nil {
		return nil, err
	}
	g.opened = true // from here on a failure is for good
	return &Probe{g}, nil
}

// Describe asks the guest who it is.
func (p *Probe) Describe(ctx context.Context) (*ProbeResult, error) {
	return p.ask(ctx, abi.ExportDescribe, nil, nil)
}

// Open sends an encoded Open message.
func (p *Probe) Open(ctx context.Context, message []byte) (*ProbeResult, error) {
	return p.ask(ctx, abi.ExportOpen, message, nil)
}

// Match sends an encoded Call to a matcher. The blobs get the handles 1, 2, and
// so on; they must not change before the next message.
func (p *Probe) Match(ctx context.Context, handler uint32, message []byte, blobs ...[]byte) (*ProbeResult, error) {
	return p.ask(ctx, abi.ExportMatch, message, blobs, handler)
}

// Respond sends an encoded Call to a responder, as Match does to a matcher.
func (p *Probe) Respond(ctx context.Context, handler uint32, message []byte, blobs ...[]byte) (*ProbeResult, error) {
	return p.ask(ctx, abi.ExportRespond, message, blobs, handler)
}

// Close discards the instance without telling the guest. It can be called again.
func (p *Probe) Close() error {
	if p.guest == nil {
		return nil
	}
	return p.guest.discard()
}

// CallClose calls the guest's close function, if it has one; the reply is nil if
// it hasn't. The probe must still be closed.
func (p *Probe) CallClose(ctx context.Context) (*ProbeResult, error) {
	if p.guest.inst != nil {
		if _, ok := p.guest.inst.Function(abi.ExportClose); !ok {
			return &ProbeResult{}, nil
		}
	}
	return p.ask(ctx, abi.ExportClose, nil, nil)
}

// ask calls an export. A message follows the handler on the stack, if the export
// has these parameters.
func (p *Probe) ask(ctx context.Context, export string, message []byte, blobs [][]byte, handler ...uint32) (*ProbeResult, error) {
	g := p.guest
	if g.inst == nil {
		return nil, g.located(&GuestError{Kind: GuestDead, Err: g.lastFailure()})
	}
	f, ok := g.inst.Function(export)
	if !ok {
		return nil, fmt.Errorf("host: the module has no %s", export)
	}
	result := &ProbeResult{}
	rec := &record{}
	g.at = callSite{call: -1, record: rec}
	g.beginCall(-1)
	g.blobs.reset(g.limits.BlobBytes)
	for _, content := range blobs {
		if _, err := g.blobs.offer(ctx, newContent(content)); err != nil {
			return nil, err
		}
	}
	err := p.call(ctx, f, export, message, handler, result)
	if rec.more != nil {
		result.Logs = rec.more.logs
	}
	for i := range g.blobs.list {
		result.blobs = append(result.blobs, g.blobs.list[i].data())
	}
	return result, err
}

func (p *Probe) call(ctx context.Context, f engine.Function, export string, message []byte, handler []uint32, result *ProbeResult) error {
	g := p.guest
	g.at.export, g.encoded = export, message
	if export != abi.ExportDescribe && export != abi.ExportClose {
		if err := g.send(ctx); err != nil {
			return err
		}
	}
	g.stack[0] = uint64(len(message))
	if len(handler) > 0 {
		g.stack[0], g.stack[1] = uint64(handler[0]), uint64(len(message))
	}
	reply, err := g.answer(ctx, export, f)
	result.Reply = bytes.Clone(reply)
	return err
}

// lastFailure is why the guest is dead, as an error that may be nil.
func (g *guest) lastFailure() error {
	if g.dead == nil {
		return ErrClosed
	}
	return g.dead
}
