package archive

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"path"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// hundred makes a workspace of 100 MiB, in files of a size.
func hundred(b *testing.B, size int) *workspace.Tree {
	b.Helper()
	tree := newTree(b, workspace.Limits{})
	source := rand.New(rand.NewPCG(1, 2))
	for i := range 100 << 20 / size {
		content := make([]byte, size)
		for j := range content {
			content[j] = byte(source.Uint32())
		}
		name := fmt.Sprintf("d%03d/f%05d", i%100, i)
		must(b, tree.MkdirAll(path.Dir(name), 0))
		must(b, tree.WriteFile(name, content, 0))
	}
	return tree
}

var sizes = map[string]int{"4KiB": 4 << 10, "256KiB": 256 << 10, "8MiB": 8 << 20}

// What Go's own package does with the same files is in the same list.
func BenchmarkPersist(b *testing.B) {
	for name, size := range sizes {
		tree := hundred(b, size)
		run := func(kind string, do func(b *testing.B)) {
			b.Run(kind+"/"+name, func(b *testing.B) {
				b.SetBytes(100 << 20)
				for b.Loop() {
					do(b)
				}
			})
		}
		run("stream", func(b *testing.B) {
			saved, err := Persist(tree, nil)
			must(b, err)
			_, err = saved.WriteTo(struct{ io.Writer }{io.Discard})
			must(b, err)
		})
		run("bytes", func(b *testing.B) { persist(b, tree) })
		run("go", func(b *testing.B) { goPersist(b, tree.Snapshot()) })
	}
}

// goPersist writes a tar into memory with Go's package alone.
func goPersist(b testing.TB, entries []workspace.Entry) []byte {
	var buffer bytes.Buffer
	w := tar.NewWriter(&buffer)
	for _, e := range entries {
		h := tar.Header{Name: e.Path, Mode: int64(e.Mode.Perm()), ModTime: time.Unix(0, e.Modified), Typeflag: tar.TypeDir, Format: tar.FormatPAX}
		if e.Mode.IsRegular() {
			h.Typeflag, h.Size = tar.TypeReg, e.Size
		}
		must(b, w.WriteHeader(&h))
		_, err := w.Write(e.Content)
		must(b, err)
	}
	must(b, w.Close())
	return buffer.Bytes()
}

func BenchmarkHydrate(b *testing.B) {
	for name, size := range sizes {
		saved, err := Persist(hundred(b, size), nil)
		must(b, err)
		data := whole(b, saved)
		tree := newTree(b, workspace.Limits{})
		run := func(kind string, do func(b *testing.B)) {
			b.Run(kind+"/"+name, func(b *testing.B) {
				b.SetBytes(100 << 20)
				for b.Loop() {
					do(b)
				}
			})
		}
		run("bytes", func(b *testing.B) { must(b, HydrateBytes(context.Background(), tree, data, nil)) })
		run("stream", func(b *testing.B) {
			must(b, Hydrate(context.Background(), tree, struct{ io.Reader }{bytes.NewReader(data)}, nil))
		})
		run("saved", func(b *testing.B) { must(b, Hydrate(context.Background(), tree, saved.Reader(), nil)) })
		run("go", func(b *testing.B) { goHydrate(b, data) })
	}
}

// goHydrate reads a tar into memory with Go's package alone.
func goHydrate(b testing.TB, data []byte) map[string][]byte {
	files := map[string][]byte{}
	r := tar.NewReader(bytes.NewReader(data))
	for {
		h, err := r.Next()
		if err == io.EOF {
			return files
		}
		must(b, err)
		content, err := io.ReadAll(r)
		must(b, err)
		files[h.Name] = content
	}
}

// Contents that compress as source code does, to a third.
func words(size int) []byte {
	r := rand.New(rand.NewPCG(3, 4))
	content := make([]byte, 0, size+10)
	for len(content) < size {
		content = fmt.Appendf(content, "%s%d ", []string{"func", "return", "if err != nil", "package", "var", "range"}[r.IntN(6)], r.IntN(1000))
	}
	return content[:size]
}

func BenchmarkExtract(b *testing.B) {
	var headers []tar.Header
	var members []zipped
	for i := range 64 {
		content := string(words(256 << 10))
		headers = append(headers, file(fmt.Sprint(i), content))
		members = append(members, zipFile(fmt.Sprint(i), content))
	}
	tarred := makeTar(b, headers...)
	run := func(name string, o ExtractOptions) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(16 << 20)
			for b.Loop() {
				must(b, Extract(context.Background(), newTree(b, workspace.Limits{}), o))
			}
		})
	}
	for name, compress := range compressors {
		b.Run(name, func(b *testing.B) {
			o := ExtractOptions{Path: "x.tar", Data: compress(b, tarred)}
			b.SetBytes(16 << 20)
			for b.Loop() {
				must(b, Extract(context.Background(), newTree(b, workspace.Limits{}), o))
			}
		})
	}
	zippedUp := makeZip(b, members...)
	run("zip", ExtractOptions{Path: "x.zip", Data: zippedUp})
	b.Run("go's zip", func(b *testing.B) {
		b.SetBytes(16 << 20)
		for b.Loop() {
			r, err := zip.NewReader(bytes.NewReader(zippedUp), int64(len(zippedUp)))
			must(b, err)
			for _, f := range r.File {
				_, err := fs.ReadFile(r, f.Name)
				must(b, err)
			}
		}
	})
}
