//go:build cgo

package wasmtime_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wasmtime"
)

// entries are the files of a cache folder, but for the one that tells when it was trimmed.
func entries(t *testing.T, dir string) (files []string) {
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

// count compiles and runs a guest with an engine of its own.
func count(t *testing.T, dir string) {
	t.Helper()
	e := newEngine(t, wasmtime.Config{CacheDir: dir})
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

func TestTheCacheIsOfOneVersionAndMachine(t *testing.T) {
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`github.com/bytecodealliance/wasmtime-go/v44 (\S+)`).FindSubmatch(mod)
	if version == nil {
		t.Fatal("go.mod doesn't name wasmtime")
	}
	dir := filepath.Join(t.TempDir(), "new", "folder")
	count(t, dir)
	want := filepath.Join(dir, "wasmtime-"+string(version[1])+"-interruptible-"+runtime.GOARCH+"-"+runtime.GOOS)
	if files := entries(t, dir); len(files) != 1 || !strings.HasPrefix(files[0], want) {
		t.Errorf("the entries are %v, want one below %s", files, want)
	}
	count(t, dir)
	if files := entries(t, dir); len(files) != 1 {
		t.Errorf("the entries are %v", files)
	}
}

func TestADamagedCacheIsMadeAnew(t *testing.T) {
	for name, damage := range map[string]func([]byte) []byte{
		"emptied":       func([]byte) []byte { return nil },
		"cut off":       func(b []byte) []byte { return b[:len(b)/2] },
		"other content": func(b []byte) []byte { return []byte(strings.Repeat("x", len(b))) },
		"changed code":  func(b []byte) []byte { b[len(b)/2] ^= 0xff; return b },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			count(t, dir)
			file := entries(t, dir)[0]
			good, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, damage([]byte(string(good))), 0o600); err != nil {
				t.Fatal(err)
			}
			count(t, dir)
			if again, err := os.ReadFile(file); err != nil || string(again) != string(good) {
				t.Errorf("the entry hasn't been made anew (%v)", err)
			}
		})
	}
}

// A module from the cache is what it was: it has its names, for one.
func TestCodeFromTheCacheTrapsTheSame(t *testing.T) {
	dir := t.TempDir()
	var traps []map[string]string
	for range 2 {
		e := newEngine(t, wasmtime.Config{CacheDir: dir})
		traps = append(traps, trapsOf(t, e))
		if err := e.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if diff := cmp.Diff(traps[0], traps[1]); diff != "" {
		t.Errorf("traps (-compiled +cached):\n%s", diff)
	}
}

func TestOnlyTheOwnerMayWriteToTheCache(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are others there")
	}
	dir := filepath.Join(t.TempDir(), "new")
	count(t, dir)
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestACacheThatVanishesIsNoError(t *testing.T) {
	dir := t.TempDir()
	e := newEngine(t, wasmtime.Config{CacheDir: dir})
	defer func() { _ = e.Close(t.Context()) }()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Compile(t.Context(), guest(t, "numbers")); err != nil {
		t.Error(err)
	}
}

func TestEnginesShareACache(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { count(t, dir) })
	}
	wg.Wait()
	if files := entries(t, dir); len(files) != 1 {
		t.Errorf("the entries are %v", files)
	}
}

func TestAFolderThatCannotHoldACacheIsAnError(t *testing.T) {
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
		_, err := wasmtime.New(t.Context(), wasmtime.Config{CacheDir: dir}, nil)
		cache, ok := errors.AsType[*engine.CacheError](err)
		if !ok || cache.Dir != dir || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: error %v, want an *engine.CacheError", dir, err)
		}
	}
}
