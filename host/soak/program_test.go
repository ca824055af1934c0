package soak

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// programKinds are sessions with a program and with a command, each run anew for a call.
func programKinds(ctx context.Context, r *host.Runtime) ([]kind, error) {
	tool, err := loadProgram(ctx, r, "tool")
	if err != nil {
		return nil, err
	}
	wasm, err := os.ReadFile(programs + "answer.wasm")
	if err != nil {
		return nil, err
	}
	answer, err := r.LoadCommand(ctx, "answer", wasm)
	if err != nil {
		return nil, err
	}
	run := host.Step{Method: host.MethodExec, Outcome: host.Respond(tool.Responder())}
	ask := host.Step{Method: host.MethodExec, Outcome: host.Respond(answer.Responder(""))}
	return []kind{
		{"program", 4, func(ctx context.Context, _ int) (int64, error) {
			return converse(ctx, []host.Step{run, run, run}, func(s *host.Scripted) error {
				return errors.Join(
					prints(ctx, s, "0=[tool]\n1=[args]\n2=[a]\n", "tool", "args", "a"),
					prints(ctx, s, strings.Repeat("x", 100<<10), "tool", "out", "102400"),
					execs(ctx, s, 7, "tool", "exit", "7"))
			})
		}},
		{"program that traps", 1, func(ctx context.Context, _ int) (int64, error) {
			return converse(ctx, []host.Step{run}, func(s *host.Scripted) error {
				return ends(execs(ctx, s, 0, "tool", "trap"), host.GuestTrap)
			})
		}},
		{"program without end", 1, func(ctx context.Context, _ int) (int64, error) {
			return converse(ctx, []host.Step{run}, func(s *host.Scripted) error {
				return ends(execs(ctx, s, 0, "tool", "loop"), host.GuestOutOfFuel)
			}, host.WithLimits(host.Limits{CallFuel: 300_000}))
		}},
		{"command", 4, func(ctx context.Context, _ int) (int64, error) {
			return converse(ctx, []host.Step{ask, ask}, func(s *host.Scripted) error {
				return errors.Join(
					prints(ctx, s, "x", `{"result": {"stdout": "x"}}`),
					ends(execs(ctx, s, 0, "nonsense"), host.GuestBadReply))
			})
		}},
	}, nil
}

func loadProgram(ctx context.Context, r *host.Runtime, name string) (*host.Program, error) {
	wasm, err := os.ReadFile(programs + name + ".wasm")
	if err != nil {
		return nil, err
	}
	return r.LoadProgram(ctx, name, wasm)
}

// workspaceKinds are sessions with files, a shell and terminals.
func workspaceKinds(ctx context.Context, r *host.Runtime) ([]kind, error) {
	desk, err := loadProgram(ctx, r, "desk")
	if err != nil {
		return nil, err
	}
	with := host.WithWorkspace(host.Workspace{
		Seed: func(files *workspace.Tree) error {
			return errors.Join(files.WriteFile("a.txt", []byte("b\na\n"), 0), files.WriteFile("long", long, 0))
		},
		Tools: map[string]shell.Tool{"desk": desk.Tool()},
	})
	return []kind{
		{"workspace", 8, func(ctx context.Context, _ int) (int64, error) {
			return converse(ctx, nil, func(s *host.Scripted) error { return useFiles(ctx, s) }, with)
		}},
		{"terminals", 4, func(ctx context.Context, _ int) (int64, error) {
			return converse(ctx, nil, func(s *host.Scripted) error { return useTerminals(ctx, s) }, with)
		}},
	}, nil
}

func useFiles(ctx context.Context, s *host.Scripted) error {
	return errors.Join(
		s.Start(ctx),
		s.Write(ctx, host.WriteRequest{Path: "new", Data: strings.NewReader("new\n")}),
		prints(ctx, s, "a\nb\nnew\n", "cat *.txt new | sort > out; sleep 60; desk show out"),
		prints(ctx, s, "0\n1\n", "wc -l < long & wait; false; echo $?"),
		reads(ctx, s, "long", int64(len(long))),
		s.PersistWorkspace(ctx, io.Discard),
		s.Stop(ctx))
}

// useTerminals leaves two processes at work, which end with the session.
func useTerminals(ctx context.Context, s *host.Scripted) error {
	for _, command := range []string{"desk chat", "while read x; do echo $x | desk chat; done", "desk chat"} {
		u, err := s.PTYExecStart(ctx, host.PTYExecStartRequest{Command: []string{command}, TTY: true})
		if err != nil {
			return err
		}
		if u.ProcessID == nil {
			return errors.New(command + " is over")
		}
		request := host.PTYWriteStdinRequest{SessionID: int64(*u.ProcessID), Chars: "hello\n"}
		if u, err = s.PTYWriteStdin(ctx, request); err != nil {
			return err
		}
		if u.ProcessID == nil {
			return errors.New(command + " is over after a line")
		}
	}
	return nil
}
