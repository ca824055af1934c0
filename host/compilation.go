package host

import (
	"context"
	"crypto/sha256"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
)

// A compilation is a module's code, shared by all that is loaded of the same
// bytes. The code lasts as long as the runtime, also when the module can't be what
// it was loaded as: it may be loaded as something else.
type compilation struct {
	engine engine.Engine
	hash   [sha256.Size]byte
	size   int // of the module, in bytes
	turn   ctxMutex
	pool   guestPool

	mu    sync.Mutex
	ready map[metered.Limits]engine.Module // the code that was found, under mu

	// All are found once, under the turn.
	source metered.Source // a session may want code within other limits
	code   map[metered.Limits]*finding[engine.Module]
	self   map[selfKey]*finding[*Description] // of guests
}

func newCompilation(e engine.Engine, source metered.Source) *compilation {
	return &compilation{engine: e, hash: source.Digest(), size: len(source.Wasm())}
}

// A selfKey is what the description of a guest may depend on.
type selfKey struct {
	stdin  [sha256.Size]byte
	limits Limits
}

// A finding is what was found out, for good: a value or an error.
type finding[T any] struct {
	done  bool
	value T
	err   error
}

// find finds out, unless that was done before. It doesn't remember that the context
// ended.
func (f *finding[T]) find(ctx context.Context, out func() (T, error)) error {
	if f.done {
		return f.err
	}
	f.value, f.err = out()
	f.done = f.err == nil || ctx.Err() == nil
	return f.err
}

// findingOf is the finding for a key.
func findingOf[K comparable, T any](all *map[K]*finding[T], key K) *finding[T] {
	f, ok := (*all)[key]
	if !ok {
		if f = new(finding[T]); *all == nil {
			*all = map[K]*finding[T]{}
		}
		(*all)[key] = f
	}
	return f
}

// compile makes the code within limits.
func (c *compilation) compile(ctx context.Context, source metered.Source, limits Limits) error {
	if err := c.turn.Lock(ctx); err != nil {
		return err
	}
	defer c.turn.Unlock()
	if c.source.Wasm() == nil {
		c.source = source.Clone()
	}
	_, err := c.make(ctx, limits)
	return err
}

// within gives the code within limits, and makes it if there is none yet.
func (c *compilation) within(ctx context.Context, limits Limits) (engine.Module, error) {
	c.mu.Lock()
	module, ok := c.ready[limits.code()]
	c.mu.Unlock()
	if ok && !c.cantLimit(limits) {
		return module, nil
	}
	if err := c.turn.Lock(ctx); err != nil {
		return nil, err
	}
	defer c.turn.Unlock()
	return c.make(ctx, limits)
}

// make gives the code within limits. It is called under the turn.
func (c *compilation) make(ctx context.Context, limits Limits) (engine.Module, error) {
	if c.cantLimit(limits) {
		return nil, ErrUnmetered
	}
	code := limits.code()
	found := findingOf(&c.code, code)
	err := found.find(ctx, func() (engine.Module, error) {
		module, err := c.compileWithin(ctx, code)
		if err != nil {
			return nil, compileError(err, c.source.Wasm(), c.engine.Bounds())
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.ready == nil {
			c.ready = map[metered.Limits]engine.Module{}
		}
		c.ready[code] = module
		return module, nil
	})
	return found.value, err
}

func (c *compilation) compileWithin(ctx context.Context, code metered.Limits) (engine.Module, error) {
	e, ok := c.engine.(*metered.Engine)
	if !ok { // then there are no limits
		return c.engine.Compile(ctx, c.source.Wasm())
	}
	if code == (metered.Limits{}) {
		code = e.Limits()
	}
	module, err := e.CompileSource(ctx, c.source, code)
	if err != nil {
		return nil, err // not a nil module in an interface
	}
	return module, nil
}

// module is the code within some limits: within others, it has the same exports and imports.
func (c *compilation) module() engine.Module {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, module := range c.ready {
		return module
	}
	return nil
}

// cantLimit reports whether the limits need an engine that counts, and this one
// doesn't.
func (c *compilation) cantLimit(limits Limits) bool {
	if limits.CallFuel <= 0 && limits.SessionFuel <= 0 && limits.code() == (metered.Limits{}) {
		return false
	}
	_, ok := c.engine.(*metered.Engine)
	return !ok
}

// describe checks that the module is a guest, and asks what it can do with that
// standard input, within limits.
func (c *compilation) describe(ctx context.Context, stdin stdinData, limits Limits) (*Description, error) {
	if err := c.turn.Lock(ctx); err != nil {
		return nil, err
	}
	defer c.turn.Unlock()
	self := findingOf(&c.self, selfKey{stdin.hash, limits})
	err := self.find(ctx, func() (*Description, error) {
		code, err := c.make(ctx, limits)
		if err != nil {
			return nil, err
		}
		if err := preflight(code); err != nil {
			return nil, err
		}
		return describe(ctx, c, stdin, limits)
	})
	return self.value, err
}

// A stdinData is what guests read from standard input, with its hash.
type stdinData struct {
	data []byte
	hash [sha256.Size]byte
}

func newStdinData(data []byte) stdinData { return stdinData{data, sha256.Sum256(data)} }
