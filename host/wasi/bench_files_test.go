package wasi_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	wz "github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"

	"github.com/wasmsandbox/wasmsandbox/host/wasi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A bencher is a function of the guest that does its work so many times.
type bencher func(work string, n int) (failed int, err error)

// benchFiles calls put with the files that the benchmarks need.
func benchFiles(put func(name string, content []byte)) {
	put("file", make([]byte, 4096))
	for i := range 10_000 {
		put(fmt.Sprintf("many/a file, number %d", i), nil)
	}
}

// inTree runs the guest with this package on a tree.
func inTree(b *testing.B, program string) bencher {
	tree := workspace.New(workspace.Config{})
	if err := tree.Mkdir("many", 0); err != nil {
		b.Fatal(err)
	}
	benchFiles(func(name string, content []byte) {
		if err := tree.WriteFile(name, content, 0); err != nil {
			b.Fatal(err)
		}
	})
	env := wasi.NewEnv(wasi.Config{Files: tree})
	b.Cleanup(env.Close)
	in, err := compile(b, program).Instantiate(b.Context(), env)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = in.Close(context.Background()) })
	if initialize, ok := in.Function("_initialize"); ok {
		if err := initialize.Call(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
	return func(work string, n int) (int, error) {
		f, _ := in.Function(work)
		stack := []uint64{uint64(n)}
		err := f.Call(b.Context(), stack)
		return int(int32(stack[0])), err
	}
}

// inWazero runs the guest with wazero's own WASI on a file system.
func inWazero(b *testing.B, program string, files wz.FSConfig) bencher {
	ctx := context.Background()
	r := wz.NewRuntime(ctx)
	b.Cleanup(func() { _ = r.Close(ctx) })
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, r); err != nil {
		b.Fatal(err)
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		b.Fatal(err)
	}
	in, err := r.InstantiateWithConfig(ctx, binary, wz.NewModuleConfig().WithFSConfig(files).WithStartFunctions("_initialize"))
	if err != nil {
		b.Fatal(err)
	}
	return func(work string, n int) (int, error) {
		results, err := in.ExportedFunction(work).Call(ctx, uint64(n))
		if err != nil {
			return 0, err
		}
		return int(int32(results[0])), nil
	}
}

func folder(b *testing.B) wz.FSConfig {
	dir := b.TempDir()
	benchFiles(func(name string, content []byte) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o666); err != nil {
			b.Fatal(err)
		}
	})
	return wz.NewFSConfig().WithDirMount(dir, "/")
}

func memory() wz.FSConfig {
	files := fstest.MapFS{}
	benchFiles(func(name string, content []byte) { files[name] = &fstest.MapFile{Data: content} })
	return wz.NewFSConfig().WithFSMount(files, "/")
}

// BenchmarkFiles is what a guest in C needs for files, and what it needs with
// wazero's own WASI on a folder and on package fstest's files in memory, which can't
// be written.
func BenchmarkFiles(b *testing.B) {
	program := compileC(b, "testdata/cfiles/bench.c", "wasm32-wasi", "-mexec-model=reactor")
	for _, bench := range []struct {
		name string
		new  func(*testing.B) bencher
	}{
		{"ours", func(b *testing.B) bencher { return inTree(b, program) }},
		{"wazero-folder", func(b *testing.B) bencher { return inWazero(b, program, folder(b)) }},
		{"wazero-memory", func(b *testing.B) bencher { return inWazero(b, program, memory()) }},
	} {
		for _, work := range []string{"read_files", "write_files", "list_folder"} {
			if work == "write_files" && bench.name == "wazero-memory" {
				continue
			}
			b.Run(work+"/"+bench.name, func(b *testing.B) {
				run := bench.new(b)
				b.ReportAllocs()
				b.ResetTimer()
				if failed, err := run(work, b.N); failed != 0 || err != nil {
					b.Fatal(failed, err)
				}
			})
		}
	}
}
