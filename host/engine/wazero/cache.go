package wazero

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	wz "github.com/tetratelabs/wazero"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
)

// version is that of the wazero module. It is part of the cache folder's name,
// since wazero finds its own version in the build information only, which test
// binaries lack. A test compares it with go.mod.
const version = "v1.12.0"

// A cache is a folder of compiled code. wazero writes an entry to a temporary
// file and renames it, so writers don't get into each other's way and no reader
// sees half an entry. It checks the code of an entry against a checksum, and
// then refuses to compile; see [Engine.compile].
type cache struct {
	wazero wz.CompilationCache
	dir    string
}

// openCache opens the sub-folder for this engine on this kind of machine.
func openCache(dir string) (*cache, error) {
	if dir == "" {
		return nil, nil
	}
	sub, err := adapter.CacheFolder(dir, "wazero", version)
	if err != nil {
		return nil, err
	}
	inner, err := wz.NewCompilationCacheWithDir(sub)
	if err != nil {
		return nil, &engine.CacheError{Dir: dir, Err: err}
	}
	return &cache{wazero: inner, dir: sub}, nil
}

// empty removes all entries. An error is of no use: the next compilation tells.
func (c *cache) empty() {
	_ = filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			_ = os.Remove(path)
		}
		return nil
	})
}

// isCacheFailure tells trouble with the folder from a module that is invalid.
func isCacheFailure(err error) bool {
	var path *fs.PathError
	var link *os.LinkError
	return errors.As(err, &path) || errors.As(err, &link) ||
		strings.Contains(err.Error(), "compilationcache: ")
}
