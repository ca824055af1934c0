// Package wazero runs guests on wazero, an engine in pure Go: no cgo, no
// process, no file outside the compilation cache.
//
// [New] makes the engine; all else is reached through the interfaces of package
// engine. Embedders rarely come here: package host makes an engine by itself.
//
// The adapter turns every panic on a calling goroutine into an error. wazero
// compiles on goroutines of its own when there is more than one processor, and
// a bug in its compiler would end the process there; it only compiles what has
// passed validation. Its compiler calls itself for each block of a function, so one
// of many megabytes, which package metered refuses, overflows the stack and ends the
// process as well.
package wazero

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	wz "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

const (
	// DefaultMaxMemoryPages is the memory limit of the zero Config: 512 MiB.
	DefaultMaxMemoryPages = 8192

	// maxMemoryPages is one page short of what WebAssembly allows, so that the
	// size of a memory fits 32 bits, as wazero counts it.
	maxMemoryPages = 65535
)

// Config holds the settings of an engine. The zero value works: no disk cache,
// 512 MiB of memory, contexts end calls.
type Config struct {
	// CacheDir is the folder for compiled code, made when it doesn't exist.
	// Empty means that code is compiled anew by every engine. Processes may
	// share a folder. Code is removed a month after it was compiled. What it
	// holds is run as machine code, so only its owner may be able to write to it.
	CacheDir string

	// MaxMemoryPages bounds the memory of an instance, in pages of 64 KiB, at
	// most 65535. 0 means DefaultMaxMemoryPages. A module that wants more from
	// the start doesn't compile; a memory.grow beyond it answers -1.
	MaxMemoryPages uint32

	// Uninterruptible makes contexts be looked at only between calls, and while a
	// memory grows: a guest that loops forever then holds its goroutine forever,
	// unless an import that it calls ends it. In return a call costs no allocation,
	// and a fraction of the time.
	Uninterruptible bool
}

// An Engine compiles and runs modules on wazero. It is safe for concurrent use.
type Engine struct {
	runtime       wz.Runtime
	cache         *cache // nil: none
	offered       adapter.Offer
	pages         uint32
	interruptible bool
	closed        atomic.Bool
	users         atomic.Int64 // instances in a call when it is closed, and who closes it

	mu        sync.Mutex
	instances map[*instance]struct{} // nil once it is closed
}

var _ engine.Engine = (*Engine)(nil)

// New makes an engine whose guests may import the given functions. It fails
// with an *engine.CacheError when the cache folder can't be used, and with another error
// for settings or imports that can't be. The caller closes the engine.
func New(ctx context.Context, config Config, imports []engine.HostFunc) (_ *Engine, err error) {
	defer recovered(&err)
	pages := config.MaxMemoryPages
	if pages == 0 {
		pages = DefaultMaxMemoryPages
	}
	if pages > maxMemoryPages {
		return nil, fmt.Errorf("engine: a memory limit of %d pages, the most is %d", pages, maxMemoryPages)
	}
	settings := wz.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2).
		WithMemoryLimitPages(pages).
		WithCloseOnContextDone(!config.Uninterruptible)
	store, err := openCache(config.CacheDir)
	if err != nil {
		return nil, err
	}
	if store != nil {
		settings = settings.WithCompilationCache(store.wazero)
	}
	e := &Engine{
		runtime:       wz.NewRuntimeWithConfig(ctx, settings),
		cache:         store,
		pages:         pages,
		interruptible: !config.Uninterruptible,
		instances:     map[*instance]struct{}{},
	}
	e.users.Store(1)
	if e.offered, err = offer(ctx, e.runtime, imports); err != nil {
		return nil, errors.Join(err, e.Close(ctx))
	}
	return e, nil
}

// Name is "wazero".
func (e *Engine) Name() string { return "wazero" }

// Bounds are the memory of the Config, and some room for tables.
func (e *Engine) Bounds() engine.Bounds {
	return engine.Bounds{MemoryPages: uint64(e.pages), TableEntries: maxTableEntries}
}

// Compile implements [engine.Engine]. When ctx ends before the compilation the
// error wraps ctx.Err() instead.
func (e *Engine) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	if e.closed.Load() {
		return nil, adapter.ErrEngineClosed
	}
	if err := engine.ContextError(ctx); err != nil {
		return nil, err
	}
	if err := outline.CheckHeader(wasm); err != nil {
		return nil, &engine.CompileError{Err: err}
	}
	bounded, err := bound(wasm, e.pages)
	if err != nil {
		return nil, &engine.CompileError{Err: err}
	}
	read, err := outline.Read(wasm)
	if err != nil {
		return nil, &engine.CompileError{Err: err}
	}
	if ctx.Done() != nil && &bounded[0] == &wasm[0] {
		bounded = bytes.Clone(wasm) // the caller may change it once it has given up
	}
	compiled, err := e.compileWithin(ctx, bounded)
	if err != nil {
		if err := engine.ContextError(ctx); err != nil {
			return nil, err
		}
		return nil, &engine.CompileError{Err: err}
	}
	return newModule(e, compiled, read), nil
}

// compileWithin compiles no longer than the context lasts, which wazero looks at
// between functions only. A compilation that is given up goes on in the
// background until its function is done, so nobody else may change wasm.
func (e *Engine) compileWithin(ctx context.Context, wasm []byte) (wz.CompiledModule, error) {
	if ctx.Done() == nil {
		return e.compile(ctx, wasm)
	}
	type result struct {
		compiled wz.CompiledModule
		err      error
	}
	done := make(chan result, 1)
	go func() {
		compiled, err := e.compile(ctx, wasm)
		done <- result{compiled, err}
	}()
	select {
	case r := <-done:
		return r.compiled, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.err == nil {
				_ = r.compiled.Close(context.Background())
			}
		}()
		return nil, ctx.Err()
	}
}

// compile works around a cache that fails: a second try finds code in memory
// that couldn't be written to disk, a third one starts from an empty cache.
func (e *Engine) compile(ctx context.Context, wasm []byte) (compiled wz.CompiledModule, err error) {
	defer recovered(&err)
	ctx = experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0))
	for attempt := range 3 {
		if attempt == 2 {
			e.cache.empty()
		}
		compiled, err = e.runtime.CompileModule(ctx, wasm)
		if err == nil || e.cache == nil || !isCacheFailure(err) {
			break
		}
	}
	return compiled, err
}

// keep notes an instance, unless the engine is closed.
func (e *Engine) keep(in *instance) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.instances == nil {
		return false
	}
	e.instances[in] = struct{}{}
	return true
}

func (e *Engine) forget(in *instance) {
	e.mu.Lock()
	delete(e.instances, in)
	e.mu.Unlock()
}

// Close implements [engine.Engine]. It is idempotent. Calls in progress end soon if they
// can be interrupted; otherwise what they use is released when they have ended.
func (e *Engine) Close(ctx context.Context) error {
	if e.closed.Swap(true) {
		return nil
	}
	e.mu.Lock()
	instances := e.instances
	e.instances = nil
	e.mu.Unlock()
	if e.interruptible { // wazero ends the calls
		return e.leave(ctx)
	}
	for in := range instances {
		e.users.Add(1)
		if _, over := in.users.wait(engineEnd); over {
			e.users.Add(-1)
		}
	}
	return e.leave(ctx)
}

// leave releases the engine with its last user.
func (e *Engine) leave(ctx context.Context) (err error) {
	defer recovered(&err)
	if e.users.Add(-1) > 0 {
		return nil
	}
	err = e.runtime.Close(ctx)
	if e.cache != nil {
		err = errors.Join(err, e.cache.wazero.Close(ctx))
	}
	return err
}
