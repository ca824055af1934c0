package host

import (
	"context"
	"errors"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// ready makes sure that the guest is instantiated, opened and alive.
func (g *guest) ready(ctx context.Context) error {
	if g.abandoned.Load() { // closed while this call waited
		_ = g.destroy()
	}
	if g.dead != nil {
		return g.located(&GuestError{Kind: GuestDead, Err: g.dead})
	}
	if g.opened {
		return nil
	}
	if err := g.compile(ctx); err != nil {
		return err
	}
	if err := g.begin(ctx); err != nil {
		return err
	}
	g.opened = true
	return nil
}

// newEnv makes the Env of a new instance.
func (g *guest) newEnv() *wasi.Env { return g.newEnvWith(g.session.Workspace()) }

func (g *guest) newEnvWith(files *workspace.Tree) *wasi.Env {
	return wasi.NewEnv(wasi.Config{
		Now:       g.start,
		Seed:      g.config.seed,
		Stdin:     g.module.stdin.data,
		MaxStdout: g.limits.LogBytes,
		Files:     files,
	})
}

// instantiate makes the instance, initialises it, and checks its minor version.
func (g *guest) instantiate(ctx context.Context) error {
	g.env = g.newEnv()
	return g.instantiateIn(ctx)
}

// startFunction is what errors call the start function of an instance, which is no export.
const startFunction = "start"

// instantiateIn is instantiate in the Env that is there.
func (g *guest) instantiateIn(ctx context.Context) error {
	g.at.export, g.panic = startFunction, nil
	g.slot = &guestSlot{g}
	inst, err := g.account.instantiate(ctx, g.code, g.slot)
	g.drainOutput()
	if err == nil {
		g.inst, g.memory = inst, inst.Memory()
	}
	if err != nil || g.panic != nil { // the start function may have said that it dies
		return g.failWith(err)
	}
	g.exports.find(inst)

	if initialize, ok := inst.Function(abi.ExportInitialize); ok {
		g.at.export = abi.ExportInitialize
		if err := g.invoke(ctx, initialize); err != nil {
			return err
		}
	}
	version, _ := inst.Function(abi.ExportVersion)
	g.at.export = abi.ExportVersion
	if err := g.invoke(ctx, version); err != nil {
		return err
	}
	if minor := uint32(g.stack[0]); minor > abi.VersionMinor {
		return g.fail(&GuestError{Kind: GuestBadVersion, Message: minorVersionText(minor)})
	}
	return nil
}

// open tells the guest of its session.
func (g *guest) open(ctx context.Context) error {
	g.encoded = g.openMessage()
	g.at.export = abi.ExportOpen
	if err := g.send(ctx); err != nil {
		return err
	}
	open, _ := g.inst.Function(abi.ExportOpen)
	g.stack[0] = uint64(len(g.encoded))
	reply, err := g.run(ctx, abi.ExportOpen, open)
	switch {
	case err != nil:
		return err
	case !reply.Done:
		return g.fail(&GuestError{Kind: GuestBadReply, Message: "it isn't done"})
	default:
		return nil
	}
}

// close calls the guest's export close, and discards it. It waits for a call in
// progress as long as the context lasts; after that the call itself discards the
// guest when it ends.
func (g *guest) close(ctx context.Context) error {
	waited := g.turn.Lock(ctx)
	if waited != nil {
		g.abandoned.Store(true)
	}
	if waited != nil && !g.turn.TryLock() {
		return waited
	}
	defer g.turn.Unlock()
	err := g.callClose(ctx)
	if err == nil {
		g.release()
	}
	return errors.Join(err, g.destroy())
}

// closeTime is how long a guest may take to close, however long its session's
// context lasts: closing must not hang.
const closeTime = 5 * time.Second

func (g *guest) callClose(ctx context.Context) error {
	if g.dead != nil || !g.opened && g.reuse.pendingImage == nil {
		return nil
	}
	g.at = callSite{call: -1}
	g.beginCall(-1) // with limits of its own
	ctx, cancel := context.WithTimeout(ctx, closeTime)
	defer cancel()
	if !g.opened {
		if err := g.compile(ctx); err != nil || !g.hasClose() {
			return err
		}
		if err := g.begin(ctx); err != nil {
			return err
		}
		g.opened = true
	}
	export, ok := g.inst.Function(abi.ExportClose)
	if !ok {
		return nil
	}
	reply, err := g.run(ctx, abi.ExportClose, export)
	if err == nil && !reply.Done {
		return g.fail(&GuestError{Kind: GuestBadReply, Message: "it isn't done"})
	}
	return err
}

// destroy discards the guest for good: its session is closed.
func (g *guest) destroy() error {
	if g.dead == nil {
		g.dead = g.located(&GuestError{Kind: GuestDead, Err: ErrClosed})
	}
	return g.discard()
}

// detach takes the instance from the guest, and closes what it had open.
func (g *guest) detach() attached {
	was := g.attached
	g.attached = attached{}
	g.account.detach()
	if g.env != nil {
		g.env.Close()
	}
	return was
}

// discard frees the instance, or what one that couldn't be made has left. It can be called
// again.
func (g *guest) discard() error {
	was := g.detach()
	if was.inst == nil {
		return nil
	}
	return was.inst.Close(context.Background())
}

// describe makes an instance for no other purpose than to ask what it can do.
func describe(ctx context.Context, compiled *compilation, stdin stdinData, limits Limits) (*Description, error) {
	session := &Scripted{config: defaultConfig()}
	g := newGuest(&Module{stdin: stdin, limits: limits, compiled: compiled}, session)
	g.at = callSite{call: -1}
	defer func() { _ = g.discard() }()

	if err := g.compile(ctx); err != nil {
		return nil, err
	}
	if err := g.instantiate(ctx); err != nil {
		return nil, describeError(err)
	}
	export, _ := g.inst.Function(abi.ExportDescribe)
	reply, err := g.run(ctx, abi.ExportDescribe, export)
	switch {
	case err != nil:
		return nil, describeError(err)
	case reply.Description == nil:
		return nil, &ModuleError{Kind: ModuleBadDescription, Detail: "its reply isn't a description"}
	}
	return reply.Description, checkDescription(reply.Description)
}

func describeError(err error) error {
	if ctxErr := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded); ctxErr {
		return err
	}
	if errors.Is(err, GuestBadVersion) {
		guestErr, _ := errors.AsType[*GuestError](err)
		return &ModuleError{Kind: ModuleWrongVersion, Detail: guestErr.Message}
	}
	return &ModuleError{Kind: ModuleBadDescription, Err: err}
}

// checkDescription makes sure that names find one handler each.
func checkDescription(d *Description) error {
	type key struct {
		kind abi.HandlerKind
		name string
	}
	names, ids := map[key]bool{}, map[uint32]bool{}
	for _, h := range d.Handlers {
		k := key{h.Kind, h.Name}
		switch {
		case h.Name == "":
			return &ModuleError{Kind: ModuleBadDescription, Detail: "it has a handler without a name"}
		case h.Kind != abi.HandlerMatch && h.Kind != abi.HandlerRespond:
			return &ModuleError{Kind: ModuleBadDescription, Detail: "it has a handler that neither matches nor responds"}
		case names[k] || ids[h.ID]:
			return &ModuleError{Kind: ModuleBadDescription, Detail: "it has two handlers of the same name or id"}
		}
		names[k], ids[h.ID] = true, true
	}
	return nil
}
