package adapter_test

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
)

var key, otherKey = [32]byte{1}, [32]byte{2}

func pathOf(dir string, key [32]byte) string { return filepath.Join(dir, hex.EncodeToString(key[:])) }

func TestAnEntryIsFoundUnderItsKey(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "folder")
	adapter.NewCache(dir).Store(key, []byte("code"))
	c := adapter.NewCache(dir)
	if got := c.Load(key); string(got) != "code" {
		t.Errorf("the entry is %q", got)
	}
	if got := c.Load(otherKey); got != nil {
		t.Errorf("there is %q under another key", got)
	}
	c.Store(key, []byte("other code"))
	if got := c.Load(key); string(got) != "other code" {
		t.Errorf("the entry is %q after it was replaced", got)
	}
}

func TestWithoutAFolderThereAreNoEntries(t *testing.T) {
	c := adapter.NewCache("")
	c.Store(key, []byte("code"))
	if got := c.Load(key); got != nil {
		t.Errorf("there is %q", got)
	}
}

func TestADamagedEntryIsNone(t *testing.T) {
	for name, damage := range map[string]func(path string, entry []byte) error{
		"missing":    func(path string, _ []byte) error { return os.Remove(path) },
		"empty":      func(path string, _ []byte) error { return os.WriteFile(path, nil, 0o600) },
		"cut off":    func(path string, b []byte) error { return os.WriteFile(path, b[:len(b)-1], 0o600) },
		"a sum only": func(path string, b []byte) error { return os.WriteFile(path, b[:4], 0o600) },
		"longer":     func(path string, b []byte) error { return os.WriteFile(path, append(b, 0), 0o600) },
		"zeros":      func(path string, b []byte) error { return os.WriteFile(path, make([]byte, len(b)), 0o600) },
		"text": func(path string, b []byte) error {
			return os.WriteFile(path, bytes.Repeat([]byte("x"), len(b)), 0o600)
		},
		"another key's": func(path string, _ []byte) error {
			return os.Rename(pathOf(filepath.Dir(path), otherKey), path)
		},
		"a folder": func(path string, _ []byte) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o700)
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			c := adapter.NewCache(dir)
			c.Store(key, []byte("code"))
			c.Store(otherKey, []byte("code"))
			entry, err := os.ReadFile(pathOf(dir, key))
			if err != nil {
				t.Fatal(err)
			}
			if err := damage(pathOf(dir, key), entry); err != nil {
				t.Fatal(err)
			}
			if got := c.Load(key); got != nil {
				t.Errorf("it is %q", got)
			}
			c.Store(key, []byte("fresh"))
			if got := c.Load(key); string(got) != "fresh" && name != "a folder" {
				t.Errorf("it is %q after it was stored again", got)
			}
		})
	}
}

func TestEachChangedByteIsNoticed(t *testing.T) {
	dir := t.TempDir()
	c := adapter.NewCache(dir)
	c.Store(key, []byte("some code"))
	good, err := os.ReadFile(pathOf(dir, key))
	if err != nil {
		t.Fatal(err)
	}
	for at := range good {
		bad := bytes.Clone(good)
		bad[at] ^= 0x10
		if err := os.WriteFile(pathOf(dir, key), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := c.Load(key); got != nil {
			t.Errorf("with byte %d changed it is %q", at, got)
		}
	}
}

func TestAFolderThatCannotBeUsedHasNoEntries(t *testing.T) {
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
		dirs = append(dirs, sealed, filepath.Join(sealed, "below"))
	}
	for _, dir := range dirs {
		c := adapter.NewCache(dir)
		c.Store(key, []byte("code"))
		if got := c.Load(key); got != nil {
			t.Errorf("%s: there is %q", dir, got)
		}
	}
}

func TestEntriesAreOnesOwn(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("permissions are others there")
	}
	dir := filepath.Join(t.TempDir(), "new")
	adapter.NewCache(dir).Store(key, []byte("code"))
	for _, path := range []string{dir, pathOf(dir, key)} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
	}
}

// Readers see a whole entry or none, and nothing is left but entries.
func TestWritersDoNotGetIntoEachOthersWay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	var wg sync.WaitGroup
	for _, letter := range []string{"a", "b", "c", "d", "e", "f"} {
		wg.Go(func() {
			c := adapter.NewCache(dir)
			for range 20 {
				c.Store(key, []byte(strings.Repeat(letter, 100_000)))
				got := c.Load(key)
				if len(got) != 100_000 || len(bytes.Trim(got, string(got[:1]))) > 0 {
					t.Errorf("an entry of %d bytes that is none of those that were stored", len(got))
				}
			}
		})
	}
	wg.Wait()
	if files := filesOf(t, dir); !slices.Equal(files, []string{hex.EncodeToString(key[:])}) {
		t.Errorf("there are the files %v, want one", files)
	}
}
