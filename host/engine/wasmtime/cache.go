//go:build cgo

package wasmtime

// #include "bridge.h"
import "C"

import (
	"crypto/sha256"
	"unsafe"

	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
)

// version is that of the wasmtime module. It is part of the cache folder's name. A
// test compares it with go.mod.
const version = "v44.0.0"

// A cache is a folder of compiled code, named by the digests of the modules. wasmtime
// looks at the settings and the processor that code was compiled for, and takes the rest
// as it is. A nil cache has no code.
type cache struct{ entries *adapter.Cache }

// openCache opens the sub-folder for this engine on this kind of machine. Code that
// can be interrupted is other code, and so is that with any NaNs.
func openCache(config Config) (*cache, error) {
	if config.CacheDir == "" {
		return nil, nil
	}
	kind := version
	if !config.Uninterruptible {
		kind += "-interruptible"
	}
	if config.AnyNaNs {
		kind += "-any-nans"
	}
	sub, err := adapter.CacheFolder(config.CacheDir, "wasmtime", kind)
	if err != nil {
		return nil, err
	}
	return &cache{adapter.NewCache(sub)}, nil
}

// key is what the code of a module is kept under.
func (c *cache) key(wasm []byte) (key [sha256.Size]byte) {
	if c != nil {
		key = sha256.Sum256(wasm)
	}
	return key
}

// load gives the code under a key, or nil.
func (c *cache) load(e *C.wasm_engine_t, key [sha256.Size]byte) *C.wasmtime_module_t {
	if c == nil {
		return nil
	}
	serialized := c.entries.Load(key)
	if serialized == nil {
		return nil
	}
	var code *C.wasmtime_module_t
	if failure := C.wasmtime_module_deserialize(e, bytesOf(serialized), C.size_t(len(serialized)), &code); failure != nil {
		C.wasmtime_error_delete(failure)
		return nil
	}
	return code
}

// store keeps the code under a key, if it can.
func (c *cache) store(code *C.wasmtime_module_t, key [sha256.Size]byte) {
	if c == nil {
		return
	}
	var serialized C.wasm_byte_vec_t
	if failure := C.wasmtime_module_serialize(code, &serialized); failure != nil {
		C.wasmtime_error_delete(failure)
		return
	}
	defer C.wasm_byte_vec_delete(&serialized)
	c.entries.Store(key, unsafe.Slice((*byte)(unsafe.Pointer(serialized.data)), serialized.size))
}
