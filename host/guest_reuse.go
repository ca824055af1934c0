package host

import (
	"context"
	"errors"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// errNotMetered is the error of an instance of an engine that can't put it back.
var errNotMetered = errors.New("host: the engine can't copy the state of an instance")

// reuse is what a guest knows of being put back.
type reuse struct {
	origin origin // of a guest that may be: it has code
	asleep *image // what the guest is, but has no instance yet
	home   *image // what its instance goes back to, unless its origin has an image

	hearing bool
	heard   []LogEntry
}

// hear notes what the guest says while it is opened, when an image is made.
func (r *reuse) hear(entry LogEntry) {
	if r.hearing {
		r.heard = append(r.heard, entry)
	}
}

// find finds the functions in an instance.
func (e *guestExports) find(inst engine.Instance) {
	e.buffer, _ = inst.Function(abi.ExportBuffer)
	e.match, _ = inst.Function(abi.ExportMatch)
	e.respond, _ = inst.Function(abi.ExportRespond)
}

// saysGoodbye reports whether the module has something to be called at the end.
func (g *guest) saysGoodbye() bool {
	return slices.ContainsFunc(g.code.Exports(), func(e engine.Export) bool { return e.Name == abi.ExportClose })
}

// openMessage is what the guest is told when it is opened.
func (g *guest) openMessage() []byte {
	message := abi.Open{
		Config:      g.module.config,
		Seed:        g.config.seed,
		StartTimeNS: g.start,
		Limits:      g.limits.message(),
	}
	return message.Append(nil)
}

// begin makes an opened guest: in the fast way, if another one was opened like it
// before, or else by opening it.
func (g *guest) begin(ctx context.Context) error {
	if g.reuse.asleep != nil {
		return g.wake(ctx)
	}
	g.env = g.newEnv()
	im, wanted := g.meet()
	if im != nil && g.tab.affords(im.fuel) {
		if g.assume(ctx, im) == nil {
			g.repeat(im)
			return nil
		}
		g.env = g.newEnv()
	}
	g.reuse.hearing = wanted
	defer func() { g.reuse.hearing, g.reuse.heard = false, nil }()
	before, used := g.logs, g.tab.spent
	if err := g.instantiateIn(ctx); err != nil {
		return err
	}
	if err := g.open(ctx); err != nil {
		return err
	}
	if wanted {
		g.learn(before, used)
	}
	return nil
}

// meet asks the pool for an image of the guest as it will be, which is for guests
// that have said nothing yet for their call, so that all is as if they were opened.
func (g *guest) meet() (im *image, wanted bool) {
	code, ok := g.code.(*metered.Module)
	if !ok || len(code.Volatile()) > 0 || g.at.record == nil || g.logs.bytes > 0 || g.logs.entries > 0 {
		return nil, false
	}
	g.reuse.origin = origin{
		message: string(g.openMessage()), stdin: g.module.stdin.hash, limits: [2]Limits{g.config.limits, g.module.limits},
		now: g.env.Now(), world: g.env.Origin(), code: code,
	}
	return g.module.compiled.pool.meet(g.reuse.origin)
}

// learn makes an image of a guest that was just opened.
func (g *guest) learn(before logBudget, used int64) {
	var im *image
	if !g.env.LookedAtFiles() {
		im, _ = g.image() // it is volatile, or busy: there will be none
	}
	if im != nil {
		im.logs, im.fuel = g.reuse.heard, g.tab.spent-used
		im.said = logBudget{bytes: g.logs.bytes - before.bytes, entries: g.logs.entries - before.entries}
	}
	g.module.compiled.pool.learn(g.reuse.origin, im)
}

// repeat says again what a guest has said while it was opened.
func (g *guest) repeat(im *image) {
	g.tab.add(im.fuel)
	g.logs.bytes += im.said.bytes
	g.logs.entries += im.said.entries
	for _, entry := range im.logs {
		entry.Module = g.module.name
		g.session.addLog(g.at.record, entry)
	}
}

// image is what the guest is, which has an instance that is idle.
func (g *guest) image() (*image, error) {
	if g.reuse.asleep != nil {
		return g.reuse.asleep, nil
	}
	meter, ok := metered.Of(g.inst)
	if !ok {
		return nil, errNotMetered
	}
	memory, err := meter.Snapshot()
	if err != nil {
		return nil, err
	}
	return &image{memory: memory, world: g.env.Snapshot(), input: g.input, stderr: g.stderr, origin: g.reuse.origin}, nil
}

// wake gives a guest of a checkpoint its instance.
func (g *guest) wake(ctx context.Context) error {
	im := g.reuse.asleep
	g.at.export = "start"
	g.env = g.newEnv()
	if err := g.assume(ctx, im); err != nil {
		return g.crash(err)
	}
	g.reuse = reuse{origin: im.origin, home: im}
	return nil
}

// assume makes the guest what an image says, with an idle instance or a new one. The
// world is new.
func (g *guest) assume(ctx context.Context, im *image) error {
	b, err := g.body(ctx, im)
	if err == nil {
		if err = g.env.Restore(im.world); err != nil {
			b.close()
		}
	}
	if err != nil {
		g.env.Close()
		return err
	}
	b.seat.guest = g
	g.seat, g.inst, g.memory, g.exports = b.seat, b.inst, b.inst.Memory(), b.exports
	g.input, g.stderr, g.panic = im.input, im.stderr, nil
	g.tab.meter, g.tab.memory = b.meter, g.memory
	return nil
}

// body finds or makes an instance that is what an image says.
func (g *guest) body(ctx context.Context, im *image) (*body, error) {
	code, ok := g.code.(*metered.Module)
	if !ok {
		return nil, errNotMetered
	}
	if b := g.module.compiled.pool.take(code, g.limits, im); b != nil {
		return b, nil
	}
	// What its start function does is done already: it is told to nobody, and files that it
	// changes are others.
	files := g.session.Workspace()
	if files != nil && im.world.LookedAtFiles() {
		files = files.Clone()
	}
	nobody := newGuest(g.module, g.session)
	nobody.at = place{call: -1}
	nobody.env = nobody.newEnvWith(files)
	defer nobody.env.Close()
	b := &body{seat: &seat{nobody}}
	var err error
	if b.inst, err = g.tab.repeat(ctx, code, b.seat); err != nil {
		return nil, err
	}
	b.exports.find(b.inst)
	b.meter, _ = metered.Of(b.inst)
	if err := b.meter.Restore(im.memory); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// leaveBody puts the instance of a guest that has closed well back to what it was when
// it was opened, for another session. One that can't be put back stays.
func (g *guest) leaveBody() {
	if !g.opened || g.dead != nil || g.inst == nil || g.reuse.origin.code == nil && g.reuse.home == nil {
		return
	}
	pool := &g.module.compiled.pool
	im := pool.imageOf(g.reuse.origin, g.reuse.home)
	meter, ok := metered.Of(g.inst)
	if im == nil || !ok || meter.Restore(im.memory) != nil {
		return
	}
	g.env.Close()
	b := &body{seat: g.seat, inst: g.inst, meter: meter, limits: g.limits, exports: g.exports, image: im}
	b.seat.guest = nil
	g.seat, g.inst, g.memory, g.exports, g.encoded, g.input = nil, nil, nil, guestExports{}, nil, inputBuffer{}
	pool.put(b)
}
