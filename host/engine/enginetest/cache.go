package enginetest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A Cache says how an engine keeps compiled code in a folder.
type Cache struct {
	// New makes an engine that keeps its code below dir.
	New func(ctx context.Context, dir string) (engine.Engine, error)

	// Folder is the name of the folder below dir, but for the architecture and system.
	Folder string
}

// RunCache runs what is expected of an engine that keeps compiled code.
func RunCache(t *testing.T, c Cache) {
	for _, test := range []struct {
		name string
		run  func(c Cache, t *testing.T)
	}{
		{"an entry is of one version and kind of machine", Cache.isOfOneVersion},
		{"an entry that is damaged is made anew", Cache.isMadeAnew},
		{"only the owner may write to it", Cache.isTheOwners},
		{"a folder that vanishes is no error", Cache.mayVanish},
		{"engines share it", Cache.isShared},
		{"a folder that can't be used is an error", Cache.needsAFolder},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(c, t) })
	}
}

// ModuleVersion is the version of a module in a file go.mod.
func ModuleVersion(t *testing.T, file, module string) string {
	t.Helper()
	mod, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(regexp.QuoteMeta(module) + ` (\S+)`).FindSubmatch(mod)
	if version == nil {
		t.Fatalf("%s doesn't name %s", file, module)
	}
	return string(version[1])
}

// use compiles and runs a guest with an engine of its own.
func (c Cache) use(t *testing.T, dir string) {
	t.Helper()
	e, err := c.New(t.Context(), dir)
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = e.Close(t.Context()) }()
	m, err := e.Compile(t.Context(), guest(t, "numbers"))
	if err != nil {
		t.Error(err)
		return
	}
	in, err := m.Instantiate(t.Context(), nil)
	if err != nil {
		t.Error(err)
		return
	}
	f, _ := in.Function("count")
	if stack := []uint64{0}; f.Call(t.Context(), stack) != nil || stack[0] != 1 {
		t.Errorf("count = %d", stack[0])
	}
}

// cacheEntries are the files below a folder, but for the one that tells when it was trimmed.
func cacheEntries(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && entry.Name() != "trimmed" {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (c Cache) isOfOneVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	want := filepath.Join(dir, c.Folder+"-"+runtime.GOARCH+"-"+runtime.GOOS) + string(filepath.Separator)
	for range 2 {
		c.use(t, dir)
		if files := cacheEntries(t, dir); len(files) != 1 || !strings.HasPrefix(files[0], want) {
			t.Errorf("the entries are %v, want one below %s", files, want)
		}
	}
}

func (c Cache) isMadeAnew(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"emptied":       func([]byte) []byte { return nil },
		"cut off":       func(b []byte) []byte { return b[:len(b)/2] },
		"other content": func(b []byte) []byte { return []byte(strings.Repeat("x", len(b))) },
		"changed code":  func(b []byte) []byte { b[len(b)/2] ^= 0xff; return b },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c.use(t, dir)
			file := cacheEntries(t, dir)[0]
			good, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, damage([]byte(string(good))), 0o600); err != nil {
				t.Fatal(err)
			}
			c.use(t, dir)
			if again, err := os.ReadFile(file); err != nil || string(again) != string(good) {
				t.Errorf("the entry hasn't been made anew (%v)", err)
			}
		})
	}
}

func (c Cache) isTheOwners(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are others there")
	}
	dir := filepath.Join(t.TempDir(), "new")
	c.use(t, dir)
	info, err := os.Stat(filepath.Dir(cacheEntries(t, dir)[0]))
	if err != nil || info.Mode().Perm()&0o022 != 0 {
		t.Errorf("the folder of the entries has the mode %v (%v)", info.Mode(), err)
	}
}

func (c Cache) mayVanish(t *testing.T) {
	dir := t.TempDir()
	e, err := c.New(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close(t.Context()) }()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Compile(t.Context(), guest(t, "numbers")); err != nil {
		t.Error(err)
	}
}

func (c Cache) isShared(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { c.use(t, dir) })
	}
	wg.Wait()
	if files := cacheEntries(t, dir); len(files) != 1 {
		t.Errorf("the entries are %v", files)
	}
}

func (c Cache) needsAFolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	sealed := filepath.Join(t.TempDir(), "sealed")
	if err := os.Mkdir(sealed, 0o500); err != nil {
		t.Fatal(err)
	}
	dirs := []string{file, filepath.Join(file, "below")}
	if os.Getuid() != 0 {
		dirs = append(dirs, sealed)
	}
	for _, dir := range dirs {
		_, err := c.New(t.Context(), dir)
		cache, ok := errors.AsType[*engine.CacheError](err)
		if !ok || cache.Dir != dir || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want an *engine.CacheError", dir, err)
		}
	}
}
