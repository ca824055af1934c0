package host_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestAModuleIsLoadedFromARegularFileOnly(t *testing.T) {
	folder := t.TempDir()
	long := filepath.Join(folder, "long.wasm")
	if err := os.WriteFile(long, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(long, 1<<30+1); err != nil { // takes no room
		t.Skip(err)
	}
	for path, want := range map[string]string{
		folder:                           "read " + folder + ": it isn't a regular file",
		os.DevNull:                       "read " + os.DevNull + ": it isn't a regular file",
		"/dev/zero":                      "read /dev/zero: it isn't a regular file",
		long:                             "read " + long + ": it is longer than 1 GiB",
		filepath.Join(folder, "missing"): "",
	} {
		if _, err := os.Stat(path); want != "" && err != nil {
			continue // on another system
		}
		_, err := host.LoadFile(t.Context(), path)
		if failed, ok := errors.AsType[*fs.PathError](err); !ok || (want != "" && failed.Error() != want) {
			t.Errorf("%s: %v, want %s", path, err, want)
		}
	}
}
