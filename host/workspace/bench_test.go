package workspace_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// What a tree does is compared with a map, which is the least that could be done,
// and with the machine's files.

var page = make([]byte, 4096)

func BenchmarkRead4KiB(b *testing.B) {
	buffer := make([]byte, len(page))
	b.Run("tree", func(b *testing.B) {
		w := workspace.New(workspace.Config{})
		check(b, w.MkdirAll("some/folder", 0))
		check(b, w.WriteFile("some/folder/file", page, 0))
		b.ReportAllocs()
		for b.Loop() {
			content, err := w.ReadFile("some/folder/file")
			if err != nil || copy(buffer, content) != len(page) {
				b.Fatal(err)
			}
		}
	})
	b.Run("handle", func(b *testing.B) {
		w := workspace.New(workspace.Config{})
		check(b, w.WriteFile("file", page, 0))
		h := must(w.Open("file", workspace.OpenOptions{Read: true}))(b)
		b.ReportAllocs()
		for b.Loop() {
			if n, err := h.ReadAt(buffer, 0); err != nil || n != len(page) {
				b.Fatal(err)
			}
		}
	})
	b.Run("map", func(b *testing.B) {
		files := map[string][]byte{"some/folder/file": page}
		b.ReportAllocs()
		for b.Loop() {
			if copy(buffer, files["some/folder/file"]) != len(page) {
				b.Fatal()
			}
		}
	})
	b.Run("os", func(b *testing.B) {
		name := filepath.Join(memoryDir(b), "file")
		check(b, os.WriteFile(name, page, 0o600))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := os.ReadFile(name); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// memoryDir is a folder in memory, where there is one.
func memoryDir(b *testing.B) string {
	b.Helper()
	if dir, err := os.MkdirTemp("/dev/shm", "workspace"); err == nil {
		b.Cleanup(func() { _ = os.RemoveAll(dir) })
		return dir
	}
	return b.TempDir()
}

func BenchmarkWrite4KiB(b *testing.B) {
	b.Run("tree", func(b *testing.B) {
		w := workspace.New(workspace.Config{})
		check(b, w.MkdirAll("some/folder", 0))
		b.ReportAllocs()
		for b.Loop() {
			check(b, w.WriteFile("some/folder/file", append([]byte(nil), page...), 0))
		}
	})
	b.Run("handle", func(b *testing.B) {
		w := workspace.New(workspace.Config{})
		h := must(w.Open("file", readWrite))(b)
		b.ReportAllocs()
		for b.Loop() {
			must(h.WriteAt(page, 0))(b)
		}
	})
	b.Run("map", func(b *testing.B) {
		files := map[string][]byte{}
		b.ReportAllocs()
		for b.Loop() {
			files["some/folder/file"] = append([]byte(nil), page...)
		}
	})
	b.Run("os", func(b *testing.B) {
		name := filepath.Join(memoryDir(b), "file")
		b.ReportAllocs()
		for b.Loop() {
			check(b, os.WriteFile(name, page, 0o600))
		}
	})
}

func BenchmarkListing10000(b *testing.B) {
	w := manyFiles(b, 10_000, 0)
	b.Run("tree", func(b *testing.B) {
		for b.Loop() {
			must(w.ReadDir("."))(b)
		}
	})
	b.Run("after each change", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			check(b, w.Rename(fmt.Sprintf("file-%05d", i%10_000), "new"))
			must(w.ReadDir("."))(b)
			check(b, w.Rename("new", fmt.Sprintf("file-%05d", i%10_000)))
		}
	})
	b.Run("fs", func(b *testing.B) {
		for b.Loop() {
			must(fs.ReadDir(w.FS(), "."))(b)
		}
	})
	b.Run("os", func(b *testing.B) {
		dir := memoryDir(b)
		for i := range 10_000 {
			check(b, os.WriteFile(filepath.Join(dir, fmt.Sprint(i)), nil, 0o600))
		}
		for b.Loop() {
			must(os.ReadDir(dir))(b)
		}
	})
}

func manyFiles(b testing.TB, n, size int) *workspace.Tree {
	b.Helper()
	w := workspace.New(workspace.Config{})
	for i := range n {
		check(b, w.WriteFile(fmt.Sprintf("file-%05d", i), make([]byte, size), 0))
	}
	return w
}

// Ten times as many files take ten times as long.
func BenchmarkCreatingFilesInAFolder(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				manyFiles(b, n, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/file")
		})
	}
	b.Run("map 10000", func(b *testing.B) {
		for b.Loop() {
			files := map[string][]byte{}
			for i := range 10_000 {
				files[fmt.Sprintf("file-%05d", i)] = make([]byte, 0)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*10_000), "ns/file")
	})
}

// Ten times as much takes ten times as long.
func BenchmarkGrowingAFile(b *testing.B) {
	piece := make([]byte, 100)
	for _, size := range []int{100 << 10, 1 << 20, 10 << 20} {
		b.Run(fmt.Sprint(size>>10, " KiB"), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				w := workspace.New(workspace.Config{})
				h := must(w.Open("file", readWrite))(b)
				for written := 0; written < size; written += len(piece) {
					must(h.Append(piece))(b)
				}
			}
		})
		b.Run(fmt.Sprint(size>>10, " KiB, read after each KiB"), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				w := workspace.New(workspace.Config{})
				h := must(w.Open("file", readWrite))(b)
				for written := 0; written < size; written += len(piece) {
					must(h.Append(piece))(b)
					if written%1000 == 0 {
						must(w.ReadFile("file"))(b)
					}
				}
			}
		})
		b.Run(fmt.Sprint(size>>10, " KiB in a slice"), func(b *testing.B) {
			b.SetBytes(int64(size))
			for b.Loop() {
				var content []byte
				for len(content) < size {
					content = append(content, piece...)
				}
			}
		})
	}
}

func BenchmarkClone(b *testing.B) {
	for _, n := range []int{10, 1000, 10_000} {
		w := manyFiles(b, n, 4096)
		b.Run(fmt.Sprint(n, " files"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w.Clone()
			}
		})
		b.Run(fmt.Sprint(n, " files in a map, copied"), func(b *testing.B) {
			files := map[string][]byte{}
			for i := range n {
				files[fmt.Sprint(i)] = make([]byte, 4096)
			}
			b.ReportAllocs()
			for b.Loop() {
				copied := make(map[string][]byte, len(files))
				for name, content := range files {
					copied[name] = append([]byte(nil), content...)
				}
			}
		})
	}
}

func BenchmarkSnapshot10000(b *testing.B) {
	w := manyFiles(b, 10_000, 10)
	for b.Loop() {
		w.Snapshot()
	}
}

func BenchmarkCompare10000(b *testing.B) {
	before := manyFiles(b, 10_000, 100).Snapshot()
	after := manyFiles(b, 10_000, 100).Snapshot()
	for b.Loop() {
		if changes := workspace.Compare(before, after); changes != nil {
			b.Fatal(changes)
		}
	}
}

func BenchmarkCopyFS1000(b *testing.B) {
	files := fstest.MapFS{}
	for i := range 1000 {
		files[fmt.Sprintf("dir-%d/file-%d", i%10, i)] = &fstest.MapFile{Data: page}
	}
	for b.Loop() {
		check(b, workspace.New(workspace.Config{}).CopyFS(files))
	}
}

func BenchmarkRenamingAFolderOf10000(b *testing.B) {
	w := workspace.New(workspace.Config{})
	check(b, w.CopyFS(manyFiles(b, 10_000, 0).FS()))
	check(b, w.Mkdir("folder", 0))
	for _, info := range must(w.ReadDir("."))(b) {
		if info.Name != "folder" {
			check(b, w.Rename(info.Name, "folder/"+info.Name))
		}
	}
	for b.Loop() {
		check(b, w.Rename("folder", "longer-name"))
		check(b, w.Rename("longer-name", "folder"))
	}
}
