package host

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

// A Runtime compiles guests, commands and programs and keeps the code: each module
// once, however often and as whatever it is loaded, shared by all sessions. It keeps all
// that it was ever given, also what turned out to be no guest, until it is closed. It is
// safe for concurrent use.
//
// Most programs need none of their own: [Load] and [LoadFile] share one.
// NewRuntime makes another; the zero Runtime can't be used.
type Runtime struct {
	engine engine.Engine

	mu      sync.Mutex
	modules map[[sha256.Size]byte]*compilation
	closed  bool
}

// A RuntimeOption changes how a runtime compiles.
type RuntimeOption func(*runtimeConfig)

type runtimeConfig struct {
	newEngine func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error)
}

// CacheEnv is the environment variable that moves the folder of compiled code,
// or, as "off", does without one.
const CacheEnv = "WASMSANDBOX_CACHE"

// WithCacheDir sets the folder where compiled code is kept between runs. An empty
// string does without one. The default is [CacheDir]. It stands in the place of
// WithEngine.
func WithCacheDir(dir string) RuntimeOption {
	return WithEngine(func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return newWazero(ctx, dir, imports)
	})
}

// WithEngine makes the runtime use an engine other than wazero. The function is
// given the functions that guests may import; the runtime closes the engine. Only one of
// package metered counts fuel, and keeps to limits of it, of depth, memory and tables.
func WithEngine(newEngine func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error)) RuntimeOption {
	return func(c *runtimeConfig) { c.newEngine = newEngine }
}

// NewRuntime makes a runtime. The caller closes it, after all sessions that use
// its modules.
func NewRuntime(ctx context.Context, opts ...RuntimeOption) (*Runtime, error) {
	config := runtimeConfig{newEngine: DefaultEngine}
	for _, opt := range opts {
		if opt != nil {
			opt(&config)
		}
	}
	e, err := config.newEngine(ctx, guestImports())
	if err != nil {
		return nil, fmt.Errorf("host: starting the engine: %w", err)
	}
	return &Runtime{engine: e, modules: map[[sha256.Size]byte]*compilation{}}, nil
}

// CacheDir is the folder for compiled code and built guests, unless an option
// says otherwise: what the environment variable CacheEnv names, else the folder
// wasmsandbox in the user's cache folder. It is empty when there is none: the
// variable is "off", or the user has no such folder. Named tells that the
// variable chose.
func CacheDir() (dir string, named bool) {
	if dir, named = os.LookupEnv(CacheEnv); named {
		if dir == "off" {
			dir = ""
		}
		return dir, true
	}
	base, err := os.UserCacheDir()
	if err != nil {
		return "", false
	}
	return filepath.Join(base, "wasmsandbox"), false
}

// DefaultEngine makes the engine that runtimes use unless WithEngine says
// otherwise: wazero, with the cache in CacheDir. It does without a cache when
// nobody asked for the folder and it can't be used, as on a machine without a
// home.
func DefaultEngine(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
	dir, named := CacheDir()
	e, err := newWazero(ctx, dir, imports)
	if err != nil && !named {
		return newWazero(ctx, "", imports)
	}
	return e, err
}

// newWazero makes the default engine. Guests are metered, since wazero's own way to
// end them with their context costs more than most calls do.
func newWazero(ctx context.Context, cacheDir string, imports []engine.HostFunc) (engine.Engine, error) {
	return metered.Config{CacheDir: cacheDir}.New(ctx, imports, func(ctx context.Context, imports []engine.HostFunc) (engine.Engine, error) {
		return wazero.New(ctx, wazero.Config{CacheDir: cacheDir, Uninterruptible: true}, imports)
	})
}

var defaultRuntime = sync.OnceValues(func() (*Runtime, error) { return NewRuntime(context.Background()) })

// ErrRuntimeClosed is what a closed runtime answers, and what the guests of its
// modules fail with.
var ErrRuntimeClosed = errors.New("host: the runtime is closed")

// ErrUnmetered is what a guest, or the loading of a module, fails with when there are limits
// of fuel, depth, memory or tables that the engine can't keep to. Package metered makes an
// engine of it that can.
var ErrUnmetered = errors.New("host: the engine has no limits of fuel, depth, memory and tables")

// DefaultRuntime is the runtime that Load and LoadFile share. It is made on
// first use, lasts as long as the process, and must not be closed.
func DefaultRuntime() (*Runtime, error) { return defaultRuntime() }

// Engine is the name of the engine, such as "wazero".
func (r *Runtime) Engine() string { return r.engine.Name() }

// Close releases all compiled code. Modules loaded by the runtime can't be used
// any more. It is idempotent.
func (r *Runtime) Close(ctx context.Context) error {
	r.mu.Lock()
	closed := r.closed
	compiled := slices.Collect(maps.Values(r.modules))
	r.closed, r.modules = true, nil
	r.mu.Unlock()
	if closed {
		return nil
	}
	for _, c := range compiled {
		c.pool.drop(true)
	}
	return r.engine.Close(ctx)
}

// compile gives the one compilation of a module, and waits until its code within the
// limits is there.
func (r *Runtime) compile(ctx context.Context, wasm []byte, limits Limits) (*compilation, error) {
	source := metered.SourceOf(wasm)
	hash := source.Digest()
	r.mu.Lock()
	if r.closed {
		r.mu.Unlock()
		return nil, ErrRuntimeClosed
	}
	c, ok := r.modules[hash]
	if !ok {
		c = newCompilation(r.engine, source)
		r.modules[hash] = c
	}
	r.mu.Unlock()
	return c, c.compile(ctx, source, limits)
}
