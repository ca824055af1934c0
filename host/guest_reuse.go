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
	key          poolKey // of a guest that may be: it has code
	pendingImage *image  // what the guest is, but has no instance yet
	baseImage    *image  // what its instance goes back to, unless its key has an image

	capturing bool
	captured  []LogEntry
}

// capture notes what the guest says while it is opened, when an image is made.
func (r *reuse) capture(entry LogEntry) {
	if r.capturing {
		r.captured = append(r.captured, entry)
	}
}

// find finds the functions in an instance.
func (e *guestExports) find(inst engine.Instance) {
	e.buffer, _ = inst.Function(abi.ExportBuffer)
	e.match, _ = inst.Function(abi.ExportMatch)
	e.respond, _ = inst.Function(abi.ExportRespond)
}

// hasClose reports whether the module has something to be called at the end.
func (g *guest) hasClose() bool {
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
	if g.reuse.pendingImage != nil {
		return g.resume(ctx)
	}
	g.env = g.newEnv()
	im, wanted := g.lookUpImage()
	if im != nil && g.account.affords(im.fuel) {
		if g.restore(ctx, im) == nil {
			g.replay(im)
			return nil
		}
		g.env = g.newEnv()
	}
	g.reuse.capturing = wanted
	defer func() { g.reuse.capturing, g.reuse.captured = false, nil }()
	before, used := g.logs, g.account.spent
	if err := g.instantiateIn(ctx); err != nil {
		return err
	}
	if err := g.open(ctx); err != nil {
		return err
	}
	if wanted {
		g.keepImage(before, used)
	}
	return nil
}

// lookUpImage asks the pool for an image of the guest as it will be, which is for guests
// that have said nothing yet for their call, so that all is as if they were opened.
func (g *guest) lookUpImage() (im *image, wanted bool) {
	code, ok := g.code.(*metered.Module)
	if !ok || len(code.Volatile()) > 0 || g.at.record == nil || g.logs.bytes > 0 || g.logs.entries > 0 {
		return nil, false
	}
	g.reuse.key = poolKey{
		message: string(g.openMessage()), stdin: g.module.stdin.hash, limits: [2]Limits{g.config.limits, g.module.limits},
		now: g.env.Now(), origin: g.env.Origin(), code: code,
	}
	return g.module.compiled.pool.lookUp(g.reuse.key)
}

// keepImage makes an image of a guest that was just opened.
func (g *guest) keepImage(before logBudget, used int64) {
	var im *image
	if !g.env.LookedAtFiles() {
		im, _ = g.image() // it is volatile, or busy: there will be none
	}
	if im != nil {
		im.logs, im.fuel = g.reuse.captured, g.account.spent-used
		im.said = logBudget{bytes: g.logs.bytes - before.bytes, entries: g.logs.entries - before.entries}
	}
	g.module.compiled.pool.keepImage(g.reuse.key, im)
}

// replay says again what a guest has said while it was opened.
func (g *guest) replay(im *image) {
	g.account.add(im.fuel)
	g.logs.bytes += im.said.bytes
	g.logs.entries += im.said.entries
	for _, entry := range im.logs {
		entry.Module = g.module.name
		g.session.addLog(g.at.record, entry)
	}
}

// image is what the guest is, which has an instance that is idle.
func (g *guest) image() (*image, error) {
	if g.reuse.pendingImage != nil {
		return g.reuse.pendingImage, nil
	}
	meter, ok := metered.Of(g.inst)
	if !ok {
		return nil, errNotMetered
	}
	memory, err := meter.State()
	if err != nil {
		return nil, err
	}
	return &image{memory: memory, env: g.env.State(), input: g.input, stderr: g.stderr, key: g.reuse.key}, nil
}

// resume gives a guest of a checkpoint its instance.
func (g *guest) resume(ctx context.Context) error {
	im := g.reuse.pendingImage
	g.at.export = startFunction
	g.env = g.newEnv()
	if err := g.restore(ctx, im); err != nil {
		failed := g.failWith(err)
		if errors.Is(err, metered.NoMemory) { // nor will there ever be more
			g.dead = failed
		}
		return failed
	}
	g.reuse = reuse{key: im.key, baseImage: im}
	return nil
}

// restore makes the guest what an image says, with an idle instance or a new one. The
// Env is new.
func (g *guest) restore(ctx context.Context, im *image) error {
	pooled, err := g.acquire(ctx, im)
	if err == nil {
		if err = g.env.Restore(im.env); err != nil {
			pooled.close()
		}
	}
	if err != nil {
		g.env.Close()
		return err
	}
	pooled.slot.guest = g
	g.attached = attached{
		inst: pooled.inst, slot: pooled.slot, memory: pooled.inst.Memory(), exports: pooled.exports, input: im.input,
	}
	g.stderr, g.panic = im.stderr, nil
	g.account.attach(pooled.inst)
	return nil
}

// acquire finds or makes an instance that is what an image says.
func (g *guest) acquire(ctx context.Context, im *image) (*pooledInstance, error) {
	code, ok := g.code.(*metered.Module)
	if !ok {
		return nil, errNotMetered
	}
	if pooled := g.module.compiled.pool.take(code, g.limits, im); pooled != nil {
		return pooled, nil
	}
	// What its start function does is done already: it is told to nobody, and files that it
	// changes are others.
	files := g.session.Workspace()
	if files != nil && im.env.LookedAtFiles() {
		files = files.Clone()
	}
	scratch := newGuest(g.module, g.session)
	scratch.at = callSite{call: -1}
	scratch.env = scratch.newEnvWith(files)
	defer scratch.env.Close()
	made := &pooledInstance{slot: &guestSlot{scratch}}
	var err error
	if made.inst, err = g.account.repeat(ctx, code, made.slot); err != nil {
		return nil, err
	}
	made.exports.find(made.inst)
	made.meter, _ = metered.Of(made.inst)
	if err := made.meter.Restore(im.memory); err != nil {
		made.close()
		return nil, err
	}
	return made, nil
}

// release puts the instance of a guest that has closed well back to what it was when
// it was opened, for another session. One that can't be put back stays.
func (g *guest) release() {
	if !g.opened || g.dead != nil || g.inst == nil || g.reuse.key.code == nil && g.reuse.baseImage == nil {
		return
	}
	pool := &g.module.compiled.pool
	im := pool.imageOf(g.reuse.key, g.reuse.baseImage)
	meter, ok := metered.Of(g.inst)
	if im == nil || !ok || meter.Restore(im.memory) != nil {
		return
	}
	was := g.detach()
	was.slot.guest = nil
	pool.put(&pooledInstance{slot: was.slot, inst: was.inst, meter: meter, limits: g.limits, exports: was.exports, image: im})
}
