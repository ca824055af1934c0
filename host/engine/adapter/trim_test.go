package adapter_test

import (
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/engine/adapter"
)

const day = 24 * time.Hour

// filesOf are the files below a folder, but for those that tell when it was trimmed.
func filesOf(t *testing.T, dir string) (files []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && entry.Name() != "trimmed" {
			name, _ := filepath.Rel(dir, path)
			files = append(files, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// aged makes a file that was last used so long ago.
func aged(t *testing.T, path string, ago time.Duration) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	age(t, path, ago)
}

// age makes a file look as if it was last used so long ago.
func age(t *testing.T, path string, ago time.Duration) {
	t.Helper()
	then := time.Now().Add(-ago)
	if err := os.Chtimes(path, then, then); err != nil {
		t.Fatal(err)
	}
}

func TestWhatNobodyUsesIsRemovedFromTheFoldersOfAnEngine(t *testing.T) {
	digest := strings.Repeat("0a", 32)
	dir := t.TempDir()
	for _, name := range []string{
		"wazero-v1-amd64-linux/" + digest,
		"wazero-v1-amd64-linux/inner/" + digest,
		"wazero-v1-amd64-linux/inner/" + digest + ".123.tmp",
		"wazero-v2-amd64-linux/entry.123.tmp",
		"wazero-v2-amd64-linux/probe.123.tmp",
	} {
		aged(t, filepath.Join(dir, name), 31*day)
	}
	stay := []string{ // in order
		digest,
		"builds/" + digest,
		"wasmtime-v1-amd64-linux/" + digest,
		"wazero-v1-amd64-linux/README.md",
		"wazero-v1-amd64-linux/" + digest + ".go",
		"wazero-vendor/main.go",
	}
	for _, name := range stay {
		aged(t, filepath.Join(dir, name), 31*day)
	}
	fresh := "wazero-v1-amd64-linux/inner/" + strings.Repeat("0b", 32)
	aged(t, filepath.Join(dir, fresh), 29*day)
	if _, err := adapter.CacheFolder(dir, "wazero", "v2"); err != nil {
		t.Fatal(err)
	}
	want := append([]string{fresh}, stay...)
	slices.Sort(want)
	if files := filesOf(t, dir); !slices.Equal(files, want) {
		t.Errorf("what is left is\n%v, want\n%v", files, want)
	}
}

func TestAFolderIsTrimmedOnceADay(t *testing.T) {
	dir := t.TempDir()
	open := func() string {
		folder, err := adapter.CacheFolder(dir, "wazero", "v2")
		if err != nil {
			t.Fatal(err)
		}
		return folder
	}
	folder := open()
	old := filepath.Join(folder, strings.Repeat("0a", 32))
	aged(t, old, 31*day)
	open()
	if _, err := os.Stat(old); err != nil {
		t.Errorf("the file is gone at once: %v", err)
	}
	for _, ago := range []time.Duration{25 * time.Hour, -365 * day} { // by a clock that was set back, too
		aged(t, old, 31*day)
		age(t, filepath.Join(folder, "trimmed"), ago)
		open()
		if _, err := os.Stat(old); err == nil {
			t.Errorf("the file is still there %v after the folder was trimmed", ago)
		}
	}
}

func TestAnEntryThatIsUsedStays(t *testing.T) {
	dir := t.TempDir()
	c := adapter.NewCache(dir)
	used, unused, next := [32]byte{1}, [32]byte{2}, [32]byte{3}
	for _, key := range [][32]byte{used, unused} {
		c.Store(key, []byte("code"))
		age(t, pathOf(dir, key), 31*day)
	}
	if c.Load(used) == nil {
		t.Error("an old entry isn't found")
	}
	age(t, filepath.Join(dir, "trimmed"), 25*time.Hour)
	c.Store(next, []byte("code"))
	want := []string{hex.EncodeToString(used[:]), hex.EncodeToString(next[:])}
	if files := filesOf(t, dir); !slices.Equal(files, want) {
		t.Errorf("what is left is %v, want %v", files, want)
	}
}
