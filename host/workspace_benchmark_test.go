package host_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// BenchmarkWorkspace makes calls that a workspace answers.
func BenchmarkWorkspace(b *testing.B) {
	data := bytes.Repeat([]byte("x"), 4<<10)
	session := func(b *testing.B, seed func(*workspace.Tree) error) *host.Scripted {
		s, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{
			Seed: seed, Tools: map[string]shell.Tool{"desk": loadProgram(b, "desk").Tool()},
		}))
		if err != nil {
			b.Fatal(err)
		}
		return s
	}
	file := func(w *workspace.Tree) error { return w.WriteFile("file", data, 0) }
	many := func(w *workspace.Tree) error {
		for i := range 10_000 {
			if err := w.WriteFile(fmt.Sprintf("file%05d", i), nil, 0); err != nil {
				return err
			}
		}
		return nil
	}
	long := func(w *workspace.Tree) error {
		return w.WriteFile("long", []byte(strings.Repeat("a line of some length\n", 100_000)), 0)
	}
	for _, bench := range []struct {
		name string
		seed func(*workspace.Tree) error
		call func(s *host.Scripted) error
	}{
		{"ls of 10 000 entries", many, func(s *host.Scripted) error {
			_, err := s.Ls(b.Context(), host.LsRequest{Path: "."})
			return err
		}},
		{"patch of 100 000 lines", long, func(s *host.Scripted) error {
			diff := "@@\n a line of some length\n-a line of some length\n+a line of some length\n"
			_, err := s.ApplyPatch(b.Context(), host.ApplyPatchRequest{Operations: []host.PatchOperation{{Type: "update_file", Path: "long", Diff: &diff}}})
			return err
		}},
		{"exec of a builtin", file, func(s *host.Scripted) error {
			_, err := s.Exec(b.Context(), host.ExecRequest{Command: []string{"true"}})
			return err
		}},
		{"exec of a utility", file, func(s *host.Scripted) error {
			_, err := s.Exec(b.Context(), host.ExecRequest{Command: []string{"wc -c file"}})
			return err
		}},
		{"exec of a tool", file, func(s *host.Scripted) error {
			_, err := s.Exec(b.Context(), host.ExecRequest{Command: []string{"desk show file"}})
			return err
		}},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s := session(b, bench.seed)
			b.ReportAllocs()
			for b.Loop() {
				if err := bench.call(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkWorkspaceFile reads and writes a file of 4 KiB by turns: in a session, in a
// workspace without one, and in a folder of the machine.
func BenchmarkWorkspaceFile(b *testing.B) {
	const rounds = 1000
	data := bytes.Repeat([]byte("x"), 4<<10)
	put := func(w *workspace.Tree) error { return w.WriteFile("file", data, 0) }
	tree := workspace.New(workspace.Config{})
	if err := put(tree); err != nil {
		b.Fatal(err)
	}
	name := filepath.Join(b.TempDir(), "file")
	check := func(err error) {
		if err != nil {
			b.Fatal(err)
		}
	}
	session := func(call func(*host.Scripted) error) func() time.Duration {
		return func() time.Duration {
			s, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{Seed: put}))
			check(err)
			check(call(s)) // which makes the workspace
			took := repeated(func() { check(call(s)) }, rounds)()
			check(s.Close(b.Context()))
			return took
		}
	}
	b.Run("write", func(b *testing.B) {
		contend(b, "tree",
			contender{"session", rounds, session(func(s *host.Scripted) error {
				return s.Write(b.Context(), host.WriteRequest{Path: "file", Data: bytes.NewReader(data)})
			})},
			contender{"tree", rounds, repeated(func() { check(put(tree)) }, rounds)},
			contender{"folder", 10, repeated(func() { check(os.WriteFile(name, data, 0o600)) }, 10)})
	})
	b.Run("read", func(b *testing.B) {
		check(os.WriteFile(name, data, 0o600))
		contend(b, "tree",
			contender{"session", rounds, session(func(s *host.Scripted) error {
				_, err := s.Read(b.Context(), host.ReadRequest{Path: "file"})
				return err
			})},
			contender{"tree", rounds, repeated(func() { _, err := tree.ReadFile("file"); check(err) }, rounds)},
			contender{"folder", 10, repeated(func() { _, err := os.ReadFile(name); check(err) }, 10)})
	})
}
