package soak

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// A kind is one way to use a session.
type kind struct {
	name  string
	share int // of all sessions, beside the others' shares

	// use is one session, the nth of all. It gives the fuel used, or 0 where sessions
	// of this kind differ.
	use func(ctx context.Context, n int) (fuel int64, err error)
}

// kindsOn are all kinds, in a runtime of the engine that the function starts.
func kindsOn(ctx context.Context, r *host.Runtime, start engineMaker) ([]kind, error) {
	kinds := []kind{{"fixed result", 20, fixedResult}}
	for _, makeKinds := range []func(context.Context, *host.Runtime) ([]kind, error){
		kitchenKinds, programKinds, workspaceKinds, hostileKinds,
	} {
		more, err := makeKinds(ctx, r)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, more...)
	}
	own, err := ownRuntime(start)
	return append(kinds, own), err
}

func fixedResult(ctx context.Context, _ int) (int64, error) {
	steps := []host.Step{{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{ExitCode: 1})}}
	return converse(ctx, steps, func(s *host.Scripted) error { return errors.Join(execs(ctx, s, 1, "x"), s.AssertComplete()) })
}

// ownRuntime is a session whose runtime lasts no longer, and in which another module
// was refused.
func ownRuntime(start engineMaker) (kind, error) {
	wasm, err := os.ReadFile(kitchens + "c.wasm")
	if err != nil {
		return kind{}, err
	}
	refused, err := os.ReadFile(hostiles + "trap_start.wasm")
	return kind{"runtime of its own", 1, func(ctx context.Context, _ int) (fuel int64, err error) {
		r, err := host.NewRuntime(ctx, host.WithEngine(start))
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, r.Close(ctx)) }()
		if _, err := r.Load(ctx, "refused", refused); !errors.Is(err, host.GuestTrap) {
			return 0, errors.Join(errors.New("a module that traps isn't refused as such"), err)
		}
		m, err := r.Load(ctx, "c", wasm)
		if err != nil {
			return 0, err
		}
		return counts(ctx, m, 2)
	}}, err
}

const (
	kitchens = "../../testdata/guests/kitchen/"
	programs = "../../testdata/guests/programs/"
	hostiles = "../../testdata/hostile/"
)

// load loads a guest from a file: a module, or a program in JavaScript.
func load(ctx context.Context, r *host.Runtime, name, path string) (*host.Module, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if js.IsProgram(path) {
		return js.Load(ctx, r, name, path, data)
	}
	return r.Load(ctx, name, data)
}

// loadGo builds the kitchen-sink guest in Go, and loads it.
func loadGo(ctx context.Context, r *host.Runtime) (*host.Module, error) {
	temporary, err := os.MkdirTemp("", "wasmsandbox-soak-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temporary)
	path := filepath.Join(temporary, "guest.wasm")
	build := exec.CommandContext(ctx, "go", "build", "-buildmode=c-shared", "-trimpath", "-ldflags=-s -w", "-o", path, "../../guest/kitchen")
	build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return nil, err
	}
	return load(ctx, r, "go", path)
}

// answeredBy gives a step that a guest answers.
func answeredBy(m *host.Module, method host.Method, responder string) (host.Step, error) {
	r, err := m.Responder(responder)
	return host.Step{Method: method, Outcome: host.Respond(r)}, err
}

// execs wants a command to end with an exit code.
func execs(ctx context.Context, s *host.Scripted, exitCode int, command ...string) error {
	result, err := s.Exec(ctx, host.ExecRequest{Command: command})
	if err == nil && result.ExitCode != exitCode {
		err = fmt.Errorf("%s ends with exit code %d, want %d: %s", command[0], result.ExitCode, exitCode, result.Stderr)
	}
	return err
}

// prints wants a command to print something.
func prints(ctx context.Context, s *host.Scripted, want string, command ...string) error {
	result, err := s.Exec(ctx, host.ExecRequest{Command: command})
	if err == nil && string(result.Stdout) != want {
		err = fmt.Errorf("%s prints %q, want %q: %s", command[0], result.Stdout, want, result.Stderr)
	}
	return err
}

// ends wants a call to have ended with an error; nil: with none.
func ends(err, want error) error {
	if !errors.Is(err, want) {
		return errors.Join(errors.New("it should end with: "+fmt.Sprint(want)), err)
	}
	return nil
}
