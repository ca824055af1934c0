package host

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A guest is the one instance of a module that a session has. Its turn is held
// for all work with it, so that calls come one at a time.
type guest struct {
	module    *Module
	session   *Scripted
	config    *config
	limits    Limits // the session's and the module's, whichever are stricter
	start     int64  // virtual time of the session's first call
	turn      ctxMutex
	abandoned atomic.Bool // closed while it worked: whoever works discards it

	// All below is used under the turn only.
	attached
	working bool // for a call
	opened  bool
	dead    *GuestError // why nothing more can be called
	at      callSite    // what it works on
	env     *wasi.Env
	blobs   blobs
	panic   *abi.Panic    // what fail reported
	code    engine.Module // within the limits; nil until it is wanted
	stack   [2]uint64
	message abi.Call
	decoder abi.ReplyDecoder
	output  slab[byte] // short results, which are the callers'
	call    int        // index of the call that it worked for last, or -1
	logs    logBudget  // of that call
	account fuelAccount
	stderr  []byte // the end of what was printed there in the last export called
	reuse   reuse
}

// attached is the instance that a guest has, and what goes with it.
type attached struct {
	inst    engine.Instance // nil: there is none
	slot    *guestSlot
	memory  engine.Memory
	exports guestExports
	input   inputBuffer
	encoded []byte // the last message, in a buffer for the next
}

// callSite is what errors and logs tell of a guest's work.
type callSite struct {
	handler string
	call    int // index, or -1
	export  string
	record  *record // of the call; may be nil
}

// guestExports are the functions that are called more than once.
type guestExports struct {
	buffer, match, respond engine.Function
}

// inputBuffer is where the guest wants its messages. It lasts until the host
// asks for a larger one, so that the common call crosses the border once.
type inputBuffer struct {
	address, size uint32
}

func newGuest(module *Module, session *Scripted) *guest {
	config := &session.config
	limits := config.limits.Stricter(module.limits)
	return &guest{
		module: module, session: session, config: config, start: config.callTime(0), call: -1,
		limits: limits, account: fuelAccount{session: session, limits: limits},
	}
}

// matchCall asks a matcher of the guest.
func (g *guest) matchCall(ctx context.Context, h *handler, rec *record, call Call) (verdict Verdict, err error) {
	if err := g.enter(ctx, h, rec, call); err != nil {
		return Verdict{}, err
	}
	defer g.leave()
	view, err := g.ask(ctx, abi.ExportMatch, h.id, call)
	if err == nil {
		verdict, err = g.verdictIn(view)
	}
	g.working = false
	return verdict, err
}

// respondCall asks a responder of the guest.
func (g *guest) respondCall(ctx context.Context, h *handler, rec *record, call Call, result *callResult) error {
	if err := g.enter(ctx, h, rec, call); err != nil {
		return err
	}
	defer g.leave()
	view, err := g.ask(ctx, abi.ExportRespond, h.id, call)
	if err == nil {
		err = g.resultIn(ctx, view, call.Method(), result)
	}
	g.working = false
	return err
}

// enter waits for the guest's turn, and begins the work for a call.
func (g *guest) enter(ctx context.Context, h *handler, rec *record, call Call) error {
	if err := g.turn.Lock(ctx); err != nil {
		return err
	}
	g.working = true
	g.at = callSite{handler: h.name, call: call.index, record: rec}
	if g.call != call.index { // its matcher may have been asked in the same guest
		g.beginCall(call.index)
	}
	g.account.record = rec
	return nil
}

// beginCall begins to count what the guest logs and uses for a call.
func (g *guest) beginCall(index int) {
	g.call, g.logs, g.account.spent = index, logBudget{}, 0
}

// leave ends the work for a call.
func (g *guest) leave() {
	if g.working { // the engine panicked, against its contract: who knows what state the instance is in
		g.working = false
		_ = g.fail(&GuestError{Kind: GuestTrap, Message: "the engine panicked"})
	}
	g.at = callSite{call: -1}
	g.account.record = nil
	g.blobs.reset(0)
	g.turn.Unlock()
	if g.abandoned.Load() && g.turn.TryLock() {
		_ = g.destroy() // nobody is left to tell
		g.turn.Unlock()
	}
}

// ask sends a call to a handler, and opens the guest first if need be. It gives a
// view of the reply.
func (g *guest) ask(ctx context.Context, export string, id uint32, call Call) ([]byte, error) {
	if err := g.ready(ctx); err != nil {
		return nil, err
	}
	g.blobs.reset(g.limits.BlobBytes)
	message, err := g.callMessage(ctx, call)
	if err != nil {
		return nil, err
	}
	g.env.AdvanceTo(message.TimeNS)
	g.encoded = message.Append(g.encoded[:0])

	f := g.exports.respond
	if export == abi.ExportMatch {
		f = g.exports.match
	}
	g.at.export = export
	if err := g.send(ctx); err != nil {
		return nil, err
	}
	g.stack[0], g.stack[1] = uint64(id), uint64(len(g.encoded))
	return g.answer(ctx, export, f)
}

// callTime is the virtual time of a call, as the configuration has it, which is asked
// only when the clock is near one of its ends.
func (g *guest) callTime(index int) int64 {
	passed := int64(index) * int64(CallStep) // there are fewer than 2³¹ calls
	if g.start == math.MinInt64 || g.start > math.MaxInt64-passed {
		return g.config.callTime(index)
	}
	return g.start + passed
}

// send puts the encoded message into the guest's input buffer.
func (g *guest) send(ctx context.Context) error {
	size := uint32(len(g.encoded))
	if uint64(size) != uint64(len(g.encoded)) { // arguments have no limit of their own
		return g.fail(&GuestError{Kind: GuestLimit, Message: "the message is longer than 4 GiB"})
	}
	if size > g.input.size || g.input.address == 0 {
		if err := g.growInput(ctx, size); err != nil {
			return err
		}
	}
	view, ok := g.memory.View(g.input.address, size)
	if !ok {
		return g.fail(&GuestError{Kind: GuestBadPointer, Message: "its input buffer is outside of its memory"})
	}
	copy(view, g.encoded)
	return nil
}

// growInput asks for a buffer of at least size bytes, with room to spare.
func (g *guest) growInput(ctx context.Context, size uint32) error {
	size = max(size, 4096)
	export := g.at.export
	g.at.export = abi.ExportBuffer
	g.stack[0], g.input = uint64(size), inputBuffer{}
	if err := g.invoke(ctx, g.exports.buffer); err != nil {
		return err
	}
	address := uint32(g.stack[0])
	if address == 0 {
		return g.fail(&GuestError{Kind: GuestLimit, Message: fmt.Sprintf("it has no input buffer for a message of %d bytes", len(g.encoded))})
	}
	if _, ok := g.memory.View(address, size); !ok {
		return g.fail(&GuestError{Kind: GuestBadPointer, Message: "its input buffer is outside of its memory"})
	}
	g.input = inputBuffer{address, size}
	g.at.export = export
	return nil
}

// compile finds the guest's code within its limits.
func (g *guest) compile(ctx context.Context) error {
	if g.code != nil {
		return nil
	}
	code, err := g.module.compiled.within(ctx, g.limits)
	if err != nil {
		return g.failWith(err)
	}
	g.code = code
	return nil
}

// run calls an export that answers with a reply. The parameters are on the
// stack. The reply lasts until the next one; its bytes and texts may be kept.
func (g *guest) run(ctx context.Context, export string, f engine.Function) (*abi.Reply, error) {
	view, err := g.answer(ctx, export, f)
	if err != nil {
		return nil, err
	}
	return g.decode(view)
}

// answer calls an export that answers with a reply, and gives a view of it, which
// lasts until the next call.
func (g *guest) answer(ctx context.Context, export string, f engine.Function) ([]byte, error) {
	g.at.export = export
	if err := g.invoke(ctx, f); err != nil {
		return nil, err
	}
	address, size := uint32(g.stack[0]>>32), uint32(g.stack[0])
	if uint64(size) > uint64(g.limits.ReplyBytes) {
		breach := &Breach{LimitReply, int64(size), int64(g.limits.ReplyBytes)}
		return nil, g.fail(&GuestError{Kind: GuestLimit, Message: "its reply is longer than the limit: " + breach.String(), Breach: breach})
	}
	view, ok := g.memory.View(address, size)
	if !ok {
		return nil, g.fail(&GuestError{Kind: GuestBadPointer, Message: "its reply is outside of its memory"})
	}
	return view, nil
}

// invoke calls an export with what is on the stack.
func (g *guest) invoke(ctx context.Context, f engine.Function) error {
	g.panic = nil
	err := g.account.setLimit()
	if err == nil {
		err = g.account.charge(f.Call(ctx, g.stack[:]))
	}
	g.drainOutput()
	if err == nil && g.panic == nil {
		return nil
	}
	return g.failWith(err)
}
