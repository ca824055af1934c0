package workspace_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// together runs a function several times at once.
func together(n int, do func(i int)) {
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { do(i) })
	}
	group.Wait()
}

func TestNoWriteIsLost(t *testing.T) {
	const writers, writes = 8, 200
	w := workspace.New(workspace.Config{})
	together(writers, func(i int) {
		shared := must(w.Open("shared", workspace.OpenOptions{Append: true, Create: true}))(t)
		own := must(w.Open(fmt.Sprint("own", i), readWrite))(t)
		for j := range writes {
			must(shared.WriteAt([]byte{byte(i)}, 0))(t)
			must(own.WriteAt([]byte{byte(j)}, int64(j)))(t)
			check(t, w.WriteFile(fmt.Sprintf("file-%d-%d", i, j), []byte{byte(i), byte(j)}, 0))
		}
		check(t, errors.Join(shared.Close(), own.Close()))
	})
	shared := must(w.ReadFile("shared"))(t)
	for i := range writers {
		if n := bytes.Count(shared, []byte{byte(i)}); n != writes {
			t.Errorf("%d of %d appended bytes", n, writes)
		}
		for j, b := range must(w.ReadFile(fmt.Sprint("own", i)))(t) {
			if b != byte(j) {
				t.Fatalf("byte %d of file %d is %d", j, i, b)
			}
		}
	}
	if list := must(w.ReadDir("."))(t); len(list) != 1+writers+writers*writes {
		t.Errorf("%d files", len(list))
	}
	check(t, w.Invariants())
}

func TestOnlyOneCreatesAFile(t *testing.T) {
	w := workspace.New(workspace.Config{})
	var mu sync.Mutex
	made := 0
	together(16, func(int) {
		h, err := w.Open("file", workspace.OpenOptions{Write: true, Create: true, Exclusive: true})
		if err != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		made++
		check(t, h.Close())
	})
	if made != 1 {
		t.Errorf("%d made it", made)
	}
}

// A symlink that changes all the time leads to the one or to the other place, never
// between.
func TestASymlinkIsSwappedUnderAReader(t *testing.T) {
	w := newTree(t, "link -> dir", "out -> /etc")
	done := make(chan struct{})
	var group sync.WaitGroup
	group.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				_ = errors.Join(w.Rename("link", "tmp"), w.Rename("out", "link"), w.Rename("link", "out"), w.Rename("tmp", "link"))
			}
		}
	})
	for range 2000 {
		content, err := w.ReadFile("link/file")
		if err == nil && string(content) != "content" || err != nil && !errors.Is(err, workspace.EPERM) && !errors.Is(err, workspace.ENOENT) {
			t.Errorf("%q %v", content, err)
		}
		if err := w.WriteFile("link/new", nil, 0); err != nil && !errors.Is(err, workspace.EPERM) && !errors.Is(err, workspace.ENOENT) {
			t.Error(err)
		}
	}
	close(done)
	group.Wait()
	check(t, w.Invariants())
}

func TestEverythingAtOnce(t *testing.T) {
	w := newTree(t)
	root := rootOf(t, w)
	together(8, func(i int) {
		c := &choice{}
		for j := range 3000 {
			c.bytes = append(c.bytes, byte(j*(i+3)+j>>5))
		}
		for c.more() {
			switch c.of(6) {
			case 0:
				_ = w.Clone().WriteFile("dir/file", []byte("clone"), 0)
			case 1:
				_ = w.Snapshot("a")
			case 2:
				_ = fs.WalkDir(w.FS(), ".", func(name string, _ fs.DirEntry, _ error) error {
					_, _ = fs.ReadFile(w.FS(), name)
					return nil
				})
			case 3:
				if h, err := root.Open(c.path(), c.options()); err == nil {
					_, _, _ = h.IsDir(), h.Options(), h.Info()
					_, _ = h.WriteAt([]byte("x"), 3)
					_, _ = h.ReadDir()
					_ = h.Close()
				}
			default:
				_ = c.playTree(w)
			}
		}
	})
	check(t, w.Invariants(root))
}

func TestFilesAreReadWhileTheyChange(t *testing.T) {
	w := newTree(t)
	h := must(w.Open("dir/file", readWrite))(t)
	together(4, func(i int) {
		for j := range 500 {
			if i%2 == 0 {
				must(h.WriteAt(bytes.Repeat([]byte{'0' + byte(j%10)}, 20), int64(j%100)))(t)
				continue
			}
			content := must(w.ReadFile("dir/file"))(t)
			if again := bytes.Clone(content); !bytes.Equal(content, again) {
				t.Error("it changed")
			}
			if err := w.Clone().CopyFS(fstest.MapFS{"new": {}}); err != nil {
				t.Error(err)
			}
		}
	})
	check(t, w.Invariants(h))
}
