package host

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A poolKey is one way to open a guest: all that decides what the guest is right
// after it. Files don't: a guest that looks at them while it opens is never put back.
type poolKey struct {
	message string // of open: configuration, seed, start time and limits
	stdin   [32]byte
	limits  [2]Limits // the session's and the module's
	now     int64     // where the clock starts, which with files may be later
	origin  string    // what else the guest can see: see wasi.Env.Origin
	code    *metered.Module
}

// A poolEntry is what is known of a key.
type poolEntry struct {
	uses  int
	last  uint64 // the pool's time when it was last used
	image *image // nil: there is none yet
	never bool   // there can't be one
}

// An image is what a guest was at some time: right after it was opened, or when its
// session was checkpointed. It is immutable, but for the log entries' module.
type image struct {
	memory *metered.State
	env    *wasi.State
	input  inputBuffer
	stderr []byte

	key poolKey

	// What it said and used until it was opened, to be repeated.
	logs []LogEntry
	said logBudget
	fuel int64
}

// A guestSlot is what an instance was made for: the guest that it serves at the moment.
type guestSlot struct{ guest *guest }

func (s *guestSlot) wasiEnv() *wasi.Env { return s.guest.env }

// A pooledInstance is an instance with what is found in it once.
type pooledInstance struct {
	slot    *guestSlot
	inst    engine.Instance
	meter   *metered.Meter
	limits  Limits // the guest's, which the meter has been told
	exports guestExports
	image   *image // of an idle one: what it was put back to
}

// mostEntries is how many keys a pool knows, and so the most images that it keeps.
const mostEntries = 4

// mostIdle is how many idle instances a pool keeps.
func mostIdle() int { return 2 * runtime.GOMAXPROCS(0) }

// A guestPool keeps the instances of a module whose sessions are closed, each put back
// to what it was right after it was opened, so that the next session that opens it the
// same way costs no more than that. It keeps twice as many as there are processors;
// one has as much memory as the guest had, and an image as much as wasn't zero. The
// zero pool is ready.
type guestPool struct {
	mu      sync.Mutex
	closed  bool
	time    uint64
	entries map[poolKey]*poolEntry
	idle    []*pooledInstance // the one used last is the last
}

// lookUp notes that a guest is opened in a way. It gives the image of it, if there is
// one; otherwise it says whether one should be made, which is so from the second time
// on: what is opened once costs nothing more.
func (p *guestPool) lookUp(key poolKey) (im *image, wanted bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil, false
	}
	entry := p.entries[key]
	if entry == nil {
		entry = new(poolEntry)
		if p.entries == nil {
			p.entries = map[poolKey]*poolEntry{}
		}
		if len(p.entries) >= mostEntries {
			p.forget()
		}
		p.entries[key] = entry
	}
	p.time++
	entry.uses++
	entry.last = p.time
	return entry.image, entry.image == nil && !entry.never && entry.uses > 1
}

// forget makes room for another key.
func (p *guestPool) forget() {
	var oldest poolKey
	last := p.time + 1
	for key, entry := range p.entries {
		if entry.last < last {
			oldest, last = key, entry.last
		}
	}
	delete(p.entries, oldest)
}

// keepImage keeps the image of a key; nil means that there can't be one. It gives the
// one that is kept.
func (p *guestPool) keepImage(key poolKey, im *image) *image {
	p.mu.Lock()
	defer p.mu.Unlock()
	entry := p.entries[key]
	switch {
	case entry == nil || p.closed:
		return im
	case im == nil:
		entry.never = true
	case entry.image == nil:
		entry.image = im
	}
	return entry.image
}

// imageOf is the image of a key, or another one if there is none. It is nil for a closed
// pool, which keeps no instances.
func (p *guestPool) imageOf(key poolKey, other *image) *image {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	if entry := p.entries[key]; entry != nil && entry.image != nil {
		return entry.image
	}
	return other
}

// take gives an idle instance that is what an image says, or nil if there is none
// that can become it.
func (p *guestPool) take(code *metered.Module, limits Limits, im *image) *pooledInstance {
	for {
		pooled := p.choose(code, limits, im)
		if pooled == nil || pooled.image == im {
			return pooled
		}
		if pooled.meter.Restore(im.memory) == nil {
			return pooled
		}
		pooled.close()
	}
}

func (p *guestPool) choose(code *metered.Module, limits Limits, im *image) *pooledInstance {
	p.mu.Lock()
	defer p.mu.Unlock()
	found := -1
	for i, pooled := range slices.Backward(p.idle) {
		if pooled.meter.Module() != code || pooled.limits != limits {
			continue
		}
		found = i // the one unused for longest: others are more likely to be wanted as they are
		if pooled.image == im {
			break
		}
	}
	if found < 0 {
		return nil
	}
	pooled := p.idle[found]
	p.idle = slices.Delete(p.idle, found, found+1)
	return pooled
}

// put keeps an idle instance, and closes what it has no room for.
func (p *guestPool) put(pooled *pooledInstance) {
	p.mu.Lock()
	surplus := pooled
	if !p.closed {
		surplus = nil
		p.idle = append(p.idle, pooled)
		if len(p.idle) > mostIdle() {
			surplus = p.idle[0]
			p.idle = slices.Delete(p.idle, 0, 1)
		}
	}
	p.mu.Unlock()
	if surplus != nil {
		surplus.close()
	}
}

// drop closes all idle instances, and forgets the images. A pool that is closed keeps
// nothing from then on.
func (p *guestPool) drop(closing bool) {
	p.mu.Lock()
	idle := p.idle
	p.idle, p.entries, p.closed = nil, nil, p.closed || closing
	p.mu.Unlock()
	for _, pooled := range idle {
		pooled.close()
	}
}

// close can fail only when the engine is closed, and so the instance.
func (p *pooledInstance) close() { _ = p.inst.Close(context.Background()) }

// DropIdle gives up what the runtime keeps so that sessions start faster: the
// instances that guests of closed sessions have left, at most twice as many as there
// are processors for each module, and images of guests that were opened, at most four
// for each. Sessions that are open aren't affected. What they leave is kept again.
func (r *Runtime) DropIdle() {
	r.mu.Lock()
	compiled := slices.Collect(maps.Values(r.modules))
	r.mu.Unlock()
	for _, c := range compiled {
		c.pool.drop(false)
	}
}
