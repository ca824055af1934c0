package adapter

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// CacheFolder makes the folder for the code of one version of an engine, on this kind
// of machine, below dir, and gives its path. What hasn't been used for a month is removed
// from it, and from those of other versions. The error is a *[engine.CacheError].
func CacheFolder(dir, engineName, version string) (string, error) {
	sub, err := cacheFolder(dir, engineName, version)
	if err != nil {
		return "", &engine.CacheError{Dir: dir, Err: err}
	}
	return sub, nil
}

func cacheFolder(dir, engineName, version string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	sub := filepath.Join(dir, engineName+"-"+version+"-"+runtime.GOARCH+"-"+runtime.GOOS)
	if err := os.MkdirAll(sub, 0o700); err != nil {
		return "", err
	}
	if err := probe(sub); err != nil {
		return "", err
	}
	if now := time.Now(); !trimmed(sub, now) {
		trimVersions(dir, engineName+"-v", now)
	}
	return sub, nil
}

func trimVersions(dir, prefix string, now time.Time) {
	folders, _ := os.ReadDir(dir)
	for _, folder := range folders {
		if strings.HasPrefix(folder.Name(), prefix) {
			trim(filepath.Join(dir, folder.Name()), now)
		}
	}
}

// probe finds out whether files can be made.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, "probe.*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
