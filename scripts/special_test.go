//go:build unix

package scripts_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func TestOnlyRegularFilesAreRead(t *testing.T) {
	newFolder(t, map[string]string{
		"a.yaml": "version: 1\nmodules: {m: pipe, n: {wasm: pipe}, o: {source: pipe}}",
		"b.yaml": "version: 1\nmodules: {m: /dev/zero}",
	})
	for _, name := range []string{"pipe", "dir/script.yaml"} {
		write(t, filepath.Join(filepath.Dir(name), "x"), "")
		if err := syscall.Mkfifo(name, 0o600); err != nil {
			t.Skip(err)
		}
	}
	for _, test := range []struct {
		path, want string
		options    []scripts.Option
	}{
		{"pipe", "pipe: it isn't a regular file", nil},
		{"dir", "dir/script.yaml: it isn't a regular file", nil},
		{"/dev/zero", "/dev/zero: it isn't a regular file", nil},
		{"a.yaml", "a.yaml:2:14: modules.m can't be loaded: pipe isn't a regular file", nil},
		{"a.yaml", "a.yaml:2:30: modules.n.wasm can't be loaded: pipe isn't a regular file", []scripts.Option{scripts.AllowOutside()}},
		{"a.yaml", "a.yaml:2:49: modules.o.source can't be loaded: pipe isn't a regular file", nil},
		{"b.yaml", "b.yaml:2:14: modules.m can't be loaded: /dev/zero isn't a regular file", []scripts.Option{scripts.AllowOutside()}},
	} {
		done := make(chan error, 1)
		go func() {
			_, err := scripts.Load(t.Context(), test.path, test.options...)
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want %s", test.path, err, test.want)
			}
		case <-time.After(30 * time.Second):
			t.Fatalf("%s: it hangs", test.path)
		}
	}
}
