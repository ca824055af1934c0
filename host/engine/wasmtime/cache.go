//go:build cgo

package wasmtime

// #include "bridge.h"
import "C"

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
)

// version is that of the wasmtime module. It is part of the cache folder's name. A
// test compares it with go.mod.
const version = "v44.0.0"

// A cache is a folder of compiled code. An entry is named by the digest of its
// module, and begins with the checksum of its code: wasmtime looks at the settings
// and the processor that code was compiled for, and takes the rest as it is. Entries
// are written to a temporary file that is renamed, so writers don't get into each
// other's way and no reader sees half an entry. An entry that can't be used is
// written anew, one that can't be written isn't.
type cache struct{ dir string }

// openCache opens the sub-folder for this engine on this kind of machine. Code that
// can be interrupted is other code.
func openCache(dir string, uninterruptible bool) (*cache, error) {
	if dir == "" {
		return nil, nil
	}
	name := "wasmtime-" + version
	if !uninterruptible {
		name += "-interruptible"
	}
	sub, err := adapter.CacheFolder(dir, name)
	if err != nil {
		return nil, err
	}
	return &cache{dir: sub}, nil
}

func (c *cache) entry(wasm []byte) string {
	digest := sha256.Sum256(wasm)
	return filepath.Join(c.dir, hex.EncodeToString(digest[:]))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// load gives the code of a module, or nil.
func (c *cache) load(e *C.wasm_engine_t, wasm []byte) *C.wasmtime_module_t {
	if c == nil {
		return nil
	}
	entry, err := os.ReadFile(c.entry(wasm))
	if err != nil || len(entry) <= crc32.Size {
		return nil
	}
	sum, serialized := binary.LittleEndian.Uint32(entry), entry[crc32.Size:]
	if crc32.Checksum(serialized, castagnoli) != sum {
		return nil
	}
	var code *C.wasmtime_module_t
	if failure := C.wasmtime_module_deserialize(e, bytesOf(serialized), C.size_t(len(serialized)), &code); failure != nil {
		C.wasmtime_error_delete(failure)
		return nil
	}
	return code
}

// store keeps the code of a module, if it can.
func (c *cache) store(code *C.wasmtime_module_t, wasm []byte) {
	if c == nil {
		return
	}
	var serialized C.wasm_byte_vec_t
	if failure := C.wasmtime_module_serialize(code, &serialized); failure != nil {
		C.wasmtime_error_delete(failure)
		return
	}
	defer C.wasm_byte_vec_delete(&serialized)
	_ = c.write(c.entry(wasm), unsafe.Slice((*byte)(unsafe.Pointer(serialized.data)), serialized.size))
}

func (c *cache) write(entry string, serialized []byte) error {
	f, err := os.CreateTemp(c.dir, "entry.*.tmp")
	if err != nil {
		return err
	}
	_, err1 := f.Write(binary.LittleEndian.AppendUint32(nil, crc32.Checksum(serialized, castagnoli)))
	_, err2 := f.Write(serialized)
	err = errors.Join(err1, err2, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), entry)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
