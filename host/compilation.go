package host

import (
	"context"
	"crypto/sha256"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A compilation is a module's code, shared by all that is loaded of the same
// bytes. The code lasts as long as the runtime, also when the module can't be what
// it was loaded as: it may be loaded as something else.
type compilation struct {
	hash [sha256.Size]byte
	size int // of the module, in bytes
	turn turn

	// All are found once, under the turn.
	code finding[engine.Module]
	self map[[sha256.Size]byte]*finding[*Description] // of guests, by the hash of their standard input
}

// A finding is what was found out, for good: a value or an error.
type finding[T any] struct {
	done  bool
	value T
	err   error
}

// find finds out, unless that was done before. An end of the context isn't
// remembered.
func (f *finding[T]) find(ctx context.Context, out func() (T, error)) error {
	if f.done {
		return f.err
	}
	f.value, f.err = out()
	f.done = f.err == nil || ctx.Err() == nil
	return f.err
}

// compile makes the code.
func (c *compilation) compile(ctx context.Context, e engine.Engine, wasm []byte) error {
	if err := c.turn.take(ctx); err != nil {
		return err
	}
	defer c.turn.give()
	return c.code.find(ctx, func() (engine.Module, error) {
		module, err := e.Compile(ctx, wasm)
		if err != nil {
			return nil, compileError(err, wasm)
		}
		return module, nil
	})
}

// describe checks that the module is a guest, and asks what it can do with that
// standard input.
func (c *compilation) describe(ctx context.Context, stdin stdinData) (*Description, error) {
	if err := c.turn.take(ctx); err != nil {
		return nil, err
	}
	defer c.turn.give()
	self, ok := c.self[stdin.hash]
	if !ok {
		self = new(finding[*Description])
		if c.self == nil {
			c.self = map[[sha256.Size]byte]*finding[*Description]{}
		}
		c.self[stdin.hash] = self
	}
	err := self.find(ctx, func() (*Description, error) {
		if err := preflight(c.module()); err != nil {
			return nil, err
		}
		return describe(ctx, c, stdin)
	})
	return self.value, err
}

// module is the code, once it was compiled.
func (c *compilation) module() engine.Module { return c.code.value }

// A stdinData is what guests read from standard input, with its hash.
type stdinData struct {
	data []byte
	hash [sha256.Size]byte
}

func newStdinData(data []byte) stdinData { return stdinData{data, sha256.Sum256(data)} }
