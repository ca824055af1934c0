package metered

import (
	"context"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

const (
	// DefaultSlice is how much fuel a guest gets at a time unless a Config says
	// otherwise: what it does in a millisecond or so, and a thousand times what asking
	// for more costs.
	DefaultSlice = 1_000_000

	// DefaultDepth is how deep calls may nest unless Limits say otherwise. The
	// stacks of the engines have room for more, but for frames that no compiler makes,
	// and the JavaScript interpreter needs less to find a limit of its own first.
	DefaultDepth = 80_000
)

// Limits are what the instances of a module may do and have. The zero value works.
type Limits struct {
	// Fuel is the most that a call may use, and the start function, unless
	// [Meter.SetLimit] says otherwise. 0 means no limit.
	Fuel int64

	// Depth is how deep calls may nest, counted as [metering.Options.MaxDepth] says.
	// 0 means DefaultDepth, and less than 0 that they aren't counted: then the engine's
	// own stack is the limit, which isn't the same for all engines.
	Depth int

	// MemoryPages is what a memory may have, in pages of 64 KiB, and TableEntries what
	// each table may. A module that wants more from the start doesn't compile. 0 means
	// that the engine's own limit is all there is.
	MemoryPages  uint32
	TableEntries uint32
}

// Config holds the settings of an engine. The zero value works.
type Config struct {
	Limits

	// Slice is how much fuel a guest gets at a time, and thereby how soon it sees the
	// end of its context. It makes no difference to limits. 0 means DefaultSlice.
	Slice int64

	// CacheDir is the folder for rewritten modules, which may be the one where the engine
	// inside keeps its code, and has to be as safe: what it holds is run, and is all that
	// limits guests, so only its owner may be able to write to it. Processes may share a
	// folder. What isn't used for a month is removed. Empty means that modules are
	// rewritten by every engine, as they are when the folder can't be used.
	CacheDir string
}

// New makes an engine around the one that newEngine makes, which should look at
// contexts between calls only. It is given the imports and some more. The caller
// closes the engine, and thereby the one inside.
func (c Config) New(ctx context.Context, imports []engine.HostFunc,
	newEngine func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error),
) (*Engine, error) {
	if c.Slice < 0 {
		return nil, fmt.Errorf("engine: a slice of %d units of fuel", c.Slice)
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if c.Slice == 0 {
		c.Slice = DefaultSlice
	}
	e := &Engine{config: c, cache: openCache(c.CacheDir)}
	inner, err := newEngine(ctx, e.offered(imports))
	if err != nil {
		return nil, err
	}
	e.inner = inner
	return e, nil
}

func (l Limits) check() error {
	if l.Depth > metering.MaxDepth {
		return fmt.Errorf("engine: a call depth of %d, the most is %d", l.Depth, metering.MaxDepth)
	}
	return nil
}

// within are the bounds of an engine with these limits in them.
func (l Limits) within(of engine.Bounds) engine.Bounds {
	if most := uint64(l.MemoryPages); most > 0 && (of.MemoryPages == 0 || most < of.MemoryPages) {
		of.MemoryPages = most
	}
	if most := uint64(l.TableEntries); most > 0 && (of.TableEntries == 0 || most < of.TableEntries) {
		of.TableEntries = most
	}
	return of
}

// options are what a module is rewritten with.
func (l Limits) options() metering.Options {
	depth := l.Depth
	if depth == 0 {
		depth = DefaultDepth
	}
	return metering.Options{
		MaxDepth:        max(depth, 0),
		ExportGlobals:   true,
		ReportBreaches:  true,
		MaxMemoryPages:  l.MemoryPages,
		MaxTableEntries: l.TableEntries,
	}
}
