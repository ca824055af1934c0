package host_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// coldGuest names the guest that TestColdProcess calls, or is "none".
const coldGuest = "WASMSANDBOX_TEST_COLD_GUEST"

// BenchmarkColdProcess is a process that answers one call, from its start to its end,
// with the guest's code in the cache: by a guest in Go, by a fixed result, and, to be
// compared with, the same process without a call. They take turns.
func BenchmarkColdProcess(b *testing.B) {
	wasm, err := buildGo("../guest/kitchen")
	if err != nil {
		b.Fatal(err)
	}
	guest, cache := filepath.Join(b.TempDir(), "guest.wasm"), b.TempDir()
	if err := os.WriteFile(guest, wasm, 0o600); err != nil {
		b.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	process := func(guest string) func() time.Duration {
		return func() time.Duration {
			cmd := exec.Command(self, "-test.run", "^TestColdProcess$")
			cmd.Env = append(os.Environ(), host.CacheEnv+"="+cache, coldGuest+"="+guest)
			begun := time.Now()
			if out, err := cmd.CombinedOutput(); err != nil {
				b.Fatalf("%v: %s", err, out)
			}
			return time.Since(begun)
		}
	}
	process(guest)() // fills the cache
	contend(b, "process",
		contender{"process", 1, process("")}, contender{"result", 1, process("none")}, contender{"go", 1, process(guest)})
}

// TestColdProcess is what BenchmarkColdProcess runs.
func TestColdProcess(t *testing.T) {
	name := os.Getenv(coldGuest)
	if name == "" {
		t.Skip("only for the benchmark")
	}
	outcome := host.Return(host.ExecResult{})
	if name != "none" {
		module, err := host.LoadFile(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		responder, err := module.Responder("setting")
		if err != nil {
			t.Fatal(err)
		}
		outcome = host.Respond(responder)
	}
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: outcome}})
	if _, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"pwd"}}); err != nil {
		t.Fatal(err)
	}
}
