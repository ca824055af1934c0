package shell

import (
	"context"
	"errors"

	"mvdan.cc/sh/v3/interp"
)

// exec runs what is neither a function nor a builtin.
func (s *session) exec(ctx context.Context, args []string) error {
	defer s.run.setPlain(true)()
	hc := interp.HandlerCtx(ctx)
	if args[0] == testName {
		return s.test(ctx, hc, args[1:])
	}
	if command := internal[args[0]]; command != nil {
		return s.status(command(s, ctx, hc, args[1:]))
	}
	in := s.input(hc)
	p := Process{
		Args: args, Env: exportedBy(hc.Env, hc.Dir), Dir: hc.Dir, User: s.user, Terminal: s.terminal, Sleep: s.sleep,
		Stdin: in, Stdout: hc.Stdout, Stderr: hc.Stderr, Umask: umaskIn(hc.Env),
	}
	if _, given := in.from.(*patient); given { // the shell itself was
		p.Poll, p.Interrupts = s.poll, s.interrupts
	}
	code, err := s.run.process(ctx, p, caller{s, int(hc.Pos.Line())})
	if st, ok := hc.Stdout.(*stage); ok && st.full {
		return s.status(exitPipe, s.run.failure()) // it was ended by its output
	}
	return s.status(code, err)
}

// exitPipe is the exit code of what writes and nobody reads.
const exitPipe = 141

// status is an exit code for the interpreter. An error ends the run: the
// interpreter would go on after a subshell.
func (s *session) status(code int, err error) error {
	if err != nil {
		return s.run.failed(s.stopped(), err)
	}
	if code &= 0xff; code == 0 {
		return nil
	}
	return interp.ExitStatus(code)
}

// A caller is the script that a process is run by. The zero value is none.
type caller struct {
	session *session
	line    int
}

// message begins what a shell says.
func (c caller) message() string {
	if c.session == nil {
		return ""
	}
	return c.session.at(c.line)
}

// tool runs a tool. One that was ended by a limit or by the context didn't fail.
func (r *run) tool(ctx context.Context, tool Tool, p Process) (int, error) {
	p.Files, p.Accounts, p.Random = r.shell.Files, r.shell.Accounts, r.random
	from := p
	turn := make(chan struct{}, 1) // one at a time: all of a run shares its state
	p.Run = func(ctx context.Context, next Process) (int, error) {
		select {
		case turn <- struct{}{}:
			defer func() { <-turn }()
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		return r.process(ctx, inherit(next, from), caller{})
	}
	p.Look = func(name string) (string, bool) {
		paths, _ := valueOf(from.Env, "PATH")
		return r.look(name, from.Dir, paths)
	}
	if err := r.checkDepth(); err != nil {
		return 0, err
	}
	code, err := tool(ctx, p)
	if failure := r.failure(); failure != nil {
		return 0, failure
	}
	if errors.Is(err, errPipe) {
		return exitPipe, nil
	}
	return code, err
}

// inherit fills in what isn't said of a process that another one runs.
func inherit(p, from Process) Process {
	if p.Env == nil {
		p.Env = from.Env
	}
	if p.Dir == "" {
		p.Dir = from.Dir
	}
	if p.Stdin == nil {
		p.Stdin, p.Poll, p.Interrupts = from.Stdin, from.Poll, from.Interrupts
	}
	if p.Stdout == nil {
		p.Stdout = from.Stdout
	}
	if p.Stderr == nil {
		p.Stderr = from.Stderr
	}
	if p.User == (User{}) {
		p.User = from.User
	}
	if p.Sleep == nil {
		p.Sleep = from.Sleep
	}
	if p.Umask == 0 {
		p.Umask = from.Umask
	}
	p.Terminal = from.Terminal
	return p
}
