package host_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// BenchmarkWorkspace makes calls that a workspace answers. The same on a folder of
// the machine is there to be compared with.
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
		{"read 4 KiB", file, func(s *host.Scripted) error {
			_, err := s.Read(b.Context(), host.ReadRequest{Path: "file"})
			return err
		}},
		{"write 4 KiB", file, func(s *host.Scripted) error {
			return s.Write(b.Context(), host.WriteRequest{Path: "file", Data: bytes.NewReader(data)})
		}},
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
	b.Run("on a folder", func(b *testing.B) {
		name := filepath.Join(b.TempDir(), "file")
		b.Run("write 4 KiB", func(b *testing.B) {
			for b.Loop() {
				if err := os.WriteFile(name, data, 0o600); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("read 4 KiB", func(b *testing.B) {
			for b.Loop() {
				if _, err := os.ReadFile(name); err != nil {
					b.Fatal(err)
				}
			}
		})
	})
}
