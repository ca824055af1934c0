package adapter

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// CacheFolder makes the folder for the code of one version of an engine, on this kind
// of machine, below dir, and gives its path. The error is a *[engine.CacheError].
func CacheFolder(dir, engineVersion string) (string, error) {
	sub, err := cacheFolder(dir, engineVersion)
	if err != nil {
		return "", &engine.CacheError{Dir: dir, Err: err}
	}
	return sub, nil
}

func cacheFolder(dir, engineVersion string) (string, error) {
	sub, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	sub = filepath.Join(sub, engineVersion+"-"+runtime.GOARCH+"-"+runtime.GOOS)
	if err := os.MkdirAll(sub, 0o700); err != nil {
		return "", err
	}
	return sub, probe(sub)
}

// probe finds out whether files can be made.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, "probe.*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
