package metered

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// openCache is where rewritten modules are kept, in a sub-folder of dir. They are the
// same for all engines and on all kinds of machines.
func openCache(dir string) *adapter.Cache {
	if dir == "" {
		return nil
	}
	return adapter.NewCache(filepath.Join(dir, "metered"))
}

// entryKey is of all that a rewritten module follows from. Options are taken as they are
// printed, so that none is forgotten.
func entryKey(module [32]byte, options metering.Options) [32]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%s %x %+v", metering.Fingerprint, module, options))
}

// compile finds the rewritten module, or makes it, and gives it to the engine inside. What
// that has compiled is kept; so an entry that it doesn't compile is damaged.
func (e *Engine) compile(ctx context.Context, source Source, options metering.Options) (
	*metering.Result, engine.Module, error,
) {
	key := entryKey(source.digest, options)
	if rewritten, ok := metering.DecodeResult(e.cache.Load(key)); ok {
		inner, err := e.inner.Compile(ctx, rewritten.Wasm)
		if _, damaged := errors.AsType[*engine.CompileError](err); !damaged {
			return rewritten, inner, err
		}
	}
	rewritten, err := metering.Rewrite(source.wasm, options)
	if err != nil {
		return nil, nil, &engine.CompileError{Err: sizeError(err)}
	}
	inner, err := e.inner.Compile(ctx, rewritten.Wasm)
	if err != nil {
		return nil, nil, err
	}
	if e.cache != nil {
		encoded, _ := rewritten.AppendBinary(nil)
		e.cache.Store(key, encoded)
	}
	return rewritten, inner, nil
}
