//go:build cgo

package wasmtime

// #include "bridge.h"
import "C"

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"unsafe"

	_ "github.com/bytecodealliance/wasmtime-go/v44" // the library, and how to link it

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/engine/outline"
)

const (
	// DefaultMaxMemoryPages is the memory limit of the zero Config: 512 MiB.
	DefaultMaxMemoryPages = 8192

	// maxMemoryPages is one page short of what WebAssembly allows, so that the
	// size of a memory fits 32 bits.
	maxMemoryPages = 65535
)

// Config holds the settings of an engine. The zero value works: no disk cache,
// 512 MiB of memory, contexts end calls.
type Config struct {
	// CacheDir is the folder for compiled code, made when it doesn't exist.
	// Empty means that code is compiled anew by every engine. Processes may
	// share a folder. Code that isn't used for a month is removed. What it
	// holds is run as machine code, so only its owner may be able to write to it.
	CacheDir string

	// MaxMemoryPages bounds the memory of an instance, in pages of 64 KiB, at
	// most 65535. 0 means DefaultMaxMemoryPages. A module that wants more from
	// the start doesn't compile; a memory.grow beyond it answers -1.
	MaxMemoryPages uint32

	// Uninterruptible makes contexts be looked at only between calls: a guest
	// that loops forever then holds its goroutine forever, unless an import
	// that it calls ends it. In return a call costs no allocation, and loops
	// needn't look whether they are to end.
	Uninterruptible bool

	// AnyNaNs leaves the bits of the NaNs that arithmetic gives to the processor. Without
	// it they are the same on each, at a price: code that does little else takes up to four
	// times as long. It is for guests that are metered, whose own code sees to that.
	AnyNaNs bool
}

// An Engine compiles and runs modules on wasmtime. It is safe for concurrent use.
type Engine struct {
	c             *C.wasm_engine_t
	linker        *C.wasmtime_linker_t
	life          lifetime // of both; modules and instances are its users
	cache         *cache   // nil: none
	imports       []engine.HostFunc
	offered       adapter.Offer
	pages         uint32
	limits        C.wasmsandbox_limits
	stacks        stacks
	interruptible bool

	mu        sync.Mutex
	modules   map[*module]struct{}
	instances map[*instance]struct{}
}

var _ engine.Engine = (*Engine)(nil)

// New makes an engine whose guests may import the given functions. It fails
// with an *engine.CacheError when the cache folder can't be used, and with another error
// for settings or imports that can't be. The caller closes the engine.
func New(ctx context.Context, config Config, imports []engine.HostFunc) (*Engine, error) {
	pages := config.MaxMemoryPages
	if pages == 0 {
		pages = DefaultMaxMemoryPages
	}
	if pages > maxMemoryPages {
		return nil, fmt.Errorf("engine: a memory limit of %d pages, the most is %d", pages, maxMemoryPages)
	}
	store, err := openCache(config)
	if err != nil {
		return nil, err
	}
	e := &Engine{
		c:             C.wasmsandbox_engine_new(C.bool(!config.Uninterruptible), C.bool(config.AnyNaNs)),
		cache:         store,
		pages:         pages,
		limits:        C.wasmsandbox_limits{memory: C.int64_t(pages) * engine.PageSize, table: maxTableEntries, tables: maxTables},
		interruptible: !config.Uninterruptible,
		modules:       map[*module]struct{}{},
		instances:     map[*instance]struct{}{},
	}
	e.linker = C.wasmtime_linker_new(e.c)
	e.life.free = func() { // there are no instances any more
		C.wasmtime_linker_delete(e.linker)
		C.wasm_engine_delete(e.c)
		e.stacks.free()
	}
	if err := e.offer(imports); err != nil {
		return nil, errors.Join(err, e.Close(ctx))
	}
	return e, nil
}

// Name is "wasmtime".
func (e *Engine) Name() string { return "wasmtime" }

// Bounds are the memory of the Config, and some room for tables.
func (e *Engine) Bounds() engine.Bounds {
	return engine.Bounds{MemoryPages: uint64(e.pages), TableEntries: maxTableEntries}
}

// Compile implements [engine.Engine]. When ctx ends before the compilation the
// error wraps ctx.Err() instead.
func (e *Engine) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	if e.life.isClosed() {
		return nil, adapter.ErrEngineClosed
	}
	if err := engine.ContextError(ctx); err != nil {
		return nil, err
	}
	if err := outline.CheckHeader(wasm); err != nil {
		return nil, &engine.CompileError{Err: err}
	}
	read, wrong := outline.Read(wasm)
	if wrong == nil {
		if err := checkSize(read, e.pages); err != nil {
			return nil, &engine.CompileError{Err: err}
		}
	}
	code, err := e.compileWithin(ctx, wasm)
	if err != nil {
		return nil, err
	}
	if wrong != nil { // a form of the format that the engine knows, and we don't
		C.wasmtime_module_delete(code)
		return nil, &engine.CompileError{Err: wrong}
	}
	return e.newModule(code, read)
}

// compileWithin finds the code in the cache, or compiles no longer than the context
// lasts. A compilation that is given up goes on in the background.
func (e *Engine) compileWithin(ctx context.Context, wasm []byte) (*C.wasmtime_module_t, error) {
	key := e.cache.key(wasm)
	if code, err := e.load(key); code != nil || err != nil {
		return code, err
	}
	if ctx.Done() == nil {
		return e.compile(wasm, key)
	}
	type result struct {
		code *C.wasmtime_module_t
		err  error
	}
	done := make(chan result, 1)
	wasm = bytes.Clone(wasm) // the caller may change it once it has given up
	go func() {
		code, err := e.compile(wasm, key)
		done <- result{code, err}
	}()
	select {
	case r := <-done:
		return r.code, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.err == nil {
				C.wasmtime_module_delete(r.code)
			}
		}()
		return nil, engine.ContextError(ctx)
	}
}

// load finds the code in the cache. It is nil if there is none.
func (e *Engine) load(key [sha256.Size]byte) (*C.wasmtime_module_t, error) {
	if !e.life.enter() {
		return nil, adapter.ErrEngineClosed
	}
	defer e.life.leave()
	return e.cache.load(e.c, key), nil
}

// compile makes the code, and keeps it in the cache.
func (e *Engine) compile(wasm []byte, key [sha256.Size]byte) (*C.wasmtime_module_t, error) {
	if !e.life.enter() {
		return nil, adapter.ErrEngineClosed
	}
	defer e.life.leave()
	var code *C.wasmtime_module_t
	if failure := C.wasmtime_module_new(e.c, bytesOf(wasm), C.size_t(len(wasm)), &code); failure != nil {
		return nil, &engine.CompileError{Err: takeError(failure)}
	}
	e.cache.store(code, key)
	return code, nil
}

// Close implements [engine.Engine]. It is idempotent. The memory of an instance
// that hasn't been closed is kept until it is, or until nobody can reach it.
func (e *Engine) Close(context.Context) error {
	if !e.life.close() {
		return nil
	}
	e.mu.Lock()
	modules, instances := e.modules, e.instances
	e.modules, e.instances = nil, nil
	e.mu.Unlock()
	for in := range instances {
		in.retire()
	}
	for m := range modules {
		m.life.close()
	}
	return nil
}

// bytesOf is where C finds the bytes during a call.
func bytesOf(b []byte) *C.uint8_t { return (*C.uint8_t)(unsafe.SliceData(b)) }

// charsOf is where C finds the bytes of a text during a call. It isn't terminated.
func charsOf(s string) *C.char { return (*C.char)(unsafe.Pointer(unsafe.StringData(s))) }
