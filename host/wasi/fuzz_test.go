package wasi

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A fuzzed call is the number of a function with its parameters.
const fuzzedCall = 1 + 9*8

// fuzzed makes the calls, and checks what each answers.
func (w *world) fuzzed(calls []byte, parameter func(uint64) uint64) {
	for range 50 {
		if len(calls) < fuzzedCall {
			return
		}
		name := functions[int(calls[0])%len(functions)].name
		stack := make([]uint64, max(len(all[name].Type.Params), 1))
		for i := range stack {
			stack[i] = parameter(binary.LittleEndian.Uint64(calls[1+8*i:]))
		}
		if err := all[name].Call(w.t.Context(), w.in, stack); err != nil {
			w.t.Errorf("%s: %v", name, err)
		}
		if stack[0] > 76 || errno(stack[0]) == eio {
			w.t.Errorf("%s: %d is no error number that it has", name, stack[0])
		}
		calls = calls[fuzzedCall:]
	}
}

func same(v uint64) uint64 { return v }

// FuzzNoCallPanics calls functions one after the other on the same world: the
// memory is the input.
func FuzzNoCallPanics(f *testing.F) {
	for i := range functions {
		for _, v := range []uint64{0, 1, 8, 0xffff, 0xffff_ffff, 1 << 63} {
			call := []byte{byte(i)}
			for range 9 {
				call = binary.LittleEndian.AppendUint64(call, v)
			}
			f.Add(call, []byte{1, 0, 0, 0, 8, 0, 0, 0, 0xff})
		}
	}
	f.Fuzz(func(t *testing.T, calls, content []byte) {
		w := newWorld(t, Config{Stdin: content, Args: []string{"a", string(content)}, Env: []string{"K=v"}, MaxStdout: 64, MaxStderr: 64})
		copy(w.in.Bytes(), content)
		w.fuzzed(calls, same)
		if n := len(w.env.DrainStdout().Bytes); n > 64 {
			t.Errorf("%d bytes of stdout are kept", n)
		}
		if n := len(w.env.DrainStderr().Bytes); n > 64 {
			t.Errorf("%d bytes of stderr are kept", n)
		}
	})
}

// fuzzedPaths are at the multiples of 32 in the memory of a world that is fuzzed with
// files, and behind them vectors.
var fuzzedPaths = []string{
	"file", "folder", "folder/inner", "link", "loop", "out", "new", "folder/new", ".", "..", "../..", "../../granted/g",
	"../../outside", "/work/sub/file", "/outside/x", "file/", "", "\xff", "a\x00b",
}

// plausible makes parameters that mean something out of most numbers: descriptors,
// flags, places of paths and vectors, and lengths.
func plausible(v uint64) uint64 {
	switch v % 8 {
	case 0, 1, 2:
		return v >> 8 % 16
	case 3, 4:
		return v >> 8 % 32 * 32
	case 5:
		return v >> 8 % 128
	case 6:
		return 1<<30 - 1
	default:
		return v
	}
}

// FuzzFilesAreContained makes calls with files, among them many that mean something:
// nothing panics, what is outside of the root stays as it is, limits hold, and what
// was open is given up in the end.
func FuzzFilesAreContained(f *testing.F) {
	for i := range functions {
		call := []byte{byte(i)}
		for _, v := range []uint64{3 << 8, 3, 4<<8 + 5, 0, 6, 6, 0, 3 + 30<<8, 0} {
			call = binary.LittleEndian.AppendUint64(call, v)
		}
		f.Add(slices.Concat(call, call, call))
	}
	limits := workspace.Limits{Bytes: 1 << 16, Files: 20}
	f.Fuzz(func(t *testing.T, calls []byte) {
		files := fuzzedFiles(t, limits)
		w := newWorld(t, Config{Files: files, Dir: "/work/sub", MaxDescriptors: 16})
		for i, path := range fuzzedPaths {
			w.put(32*i, path)
		}
		w.vectors(32*len(fuzzedPaths), 40_000, 10, 50_000, 300, 60_000, 5)
		w.fuzzed(calls, plausible)
		if n := len(w.env.fds.open); n > 16 {
			t.Errorf("%d descriptors are open", n)
		}
		w.env.Close()
		contained(t, files, limits)
	})
}

func fuzzedFiles(t *testing.T, limits workspace.Limits) *workspace.Tree {
	t.Helper()
	policy, err := workspace.NewPolicy("/work", workspace.Grant{Path: "/granted", ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	files := workspace.New(workspace.Config{Policy: policy, Limits: limits})
	for _, err := range []error{
		files.MkdirAll("sub/folder/inner", 0), files.WriteFile("sub/file", []byte("content"), 0),
		files.Symlink("file", "sub/link"), files.Symlink("loop", "sub/loop"), files.Symlink("../../outside", "sub/out"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// contained checks that the tree is what it may be.
func contained(t *testing.T, files *workspace.Tree, limits workspace.Limits) {
	t.Helper()
	if list, err := files.ReadDir("/granted"); err != nil || len(list) != 0 {
		t.Errorf("what can only be read has %v, error %v", list, err)
	}
	size, n := files.Usage()
	if size > limits.Bytes || n > limits.Files {
		t.Errorf("the tree has %d bytes and %d files", size, n)
	}
	seen, total := map[uint64]bool{}, int64(0)
	for _, e := range files.Snapshot() {
		if strings.HasPrefix(e.Path, "..") || strings.Contains(e.Path, "\x00") {
			t.Errorf("there is %q", e.Path)
		}
		if !seen[e.Inode] {
			seen[e.Inode] = true
			total += int64(len(e.Content) + len(e.Target))
		}
	}
	if total != size || len(seen) != n+1 { // the root isn't counted
		t.Errorf("%d bytes in %d files are counted as %d in %d", total, len(seen)-1, size, n)
	}
}
