package shell

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// A session is one shell: the interpreter of one script.
type session struct {
	run         *run
	name        string // of the shell, for messages
	dir         string // where it began
	user        User
	terminal    bool
	interactive bool // it runs what is typed
	leaves      bool // exit has been called, or exec
	sleep       func(ctx context.Context, d time.Duration) error
	poll        func(ctx context.Context, d time.Duration) (ready bool, err error)
	interrupts  func(interrupt func()) (release func())
	source      sourced
	stopped     func() error // why it was; not of a context of the interpreter, which holds all inputs
	globstar    bool         // it has been asked for
	extglob     bool         // it has been, too
	inherit     bool         // and so has inherit_errexit

	parameters int               // how many there are, for shift
	global     map[string]bool   // which variables are of outside of all functions, for local
	traps      map[string]string // by what they are for, for trap to list
	endings    []string          // what traps at the end would run
	ending     string            // what is run at the end
	ended      string            // the exit code before that, once it runs
}

// sourced is the script that is about to be read by the interpreter.
type sourced struct {
	path string
	text []byte
	made int
}

// A script is what a shell is to run.
type script struct {
	shell  string   // sh or bash
	zero   string   // $0
	file   string   // the script is from, or empty
	text   string   // of the script
	args   []string // $1 and so on
	params []string // options as of set
}

func (r *run) session(ctx context.Context, p Process, sc script) *session {
	return &session{
		run: r, name: sc.shell, dir: p.Dir, user: p.User, terminal: p.Terminal,
		sleep: p.Sleep, poll: p.Poll, interrupts: p.Interrupts, stopped: ctx.Err,
	}
}

// interpret runs a script.
func (r *run) interpret(ctx context.Context, p Process, sc script) (int, error) {
	if err := r.checkDepth(); err != nil {
		return 0, err
	}
	s := r.session(ctx, p, sc)
	file, err := r.rewritten(sc.text, sc.zero, rewriter{file: sc.file})
	if err != nil {
		return s.syntaxError(p, err)
	}
	in := r.input(ctx, p)
	defer in.Close()
	runner, err := s.runner(in, p, sc)
	if err != nil {
		return s.badOptions(p, err)
	}
	defer r.setPlain(false)()
	stages, times := len(r.stages), len(r.times)
	code, err := exitCode(runner.Run(ctx, file))
	if err != nil { // it ended within a pipeline, or what is timed
		r.stages, r.times = r.stages[:stages], r.times[:times]
		return 0, err
	}
	if s.ending != "" {
		return s.end(ctx, runner, code)
	}
	return code, nil
}

// catch has a function called when ^C is typed, until the one is called that it returns.
func (s *session) catch(interrupt func()) (release func()) {
	if s.interrupts == nil {
		return func() {}
	}
	return s.interrupts(interrupt)
}

// exitCode is that of what the interpreter returns; other errors end the run.
func exitCode(err error) (int, error) {
	if status, ok := errors.AsType[interp.ExitStatus](err); ok {
		return int(status), nil
	}
	if err != nil {
		return 0, err
	}
	return 0, nil
}

// runner makes an interpreter of which every hook is set.
func (s *session) runner(in *os.File, p Process, sc script) (*interp.Runner, error) {
	s.run.noteTrace(sc.params)
	env := s.run.environ(p)
	params := append(append([]string{}, sc.params...), "--")
	for _, arg := range sc.args {
		s.run.largest = max(s.run.largest, len(arg))
	}
	runner, err := interp.New(
		interp.Env(env),
		func(r *interp.Runner) error { r.Dir = p.Dir; return nil }, // interp.Dir asks the host
		interp.StdIO(in, p.Stdout, &diagnostics{p.Stderr, s.stopped}),
		interp.CallHandler(s.call),
		interp.ExecHandlers(func(interp.ExecHandlerFunc) interp.ExecHandlerFunc { return s.exec }),
		interp.OpenHandler(s.open),
		interp.ReadDirHandler2(s.readDir),
		interp.StatHandler(s.stat),
		interp.AccessHandler(s.access),
		interp.Params(append(params, sc.args...)...),
	)
	if err != nil {
		return nil, err
	}
	env.starting = true
	runner.Reset()
	env.starting = false
	return runner, nil
}

// badOptions tells of options that set doesn't have.
func (s *session) badOptions(p Process, err error) (int, error) {
	fmt.Fprintf(p.Stderr, "%s: %v\n", s.name, err)
	return 2, nil
}

// syntaxError tells of a script that can't be run.
func (s *session) syntaxError(p Process, err error) (int, error) {
	if failure := s.run.failure(); failure != nil {
		return 0, failure
	}
	fmt.Fprintln(p.Stderr, s.describe(err))
	return 2, nil
}

// describe tells what is wrong with a script.
func (s *session) describe(err error) string {
	line, what := 1, err.Error()
	var refused *refusedError
	var parse syntax.ParseError
	var lang syntax.LangError
	switch {
	case errors.As(err, &refused):
		line, what = refused.line, err.Error()
	case errors.As(err, &parse):
		line, what = int(parse.Pos.Line()), "Syntax error: "+parse.Text
	case errors.As(err, &lang):
		line, what = int(lang.Pos.Line()), "Syntax error: "+strings.TrimPrefix(what, lang.Filename+":")
	}
	return s.at(line) + what
}

// at begins a message about a line.
func (s *session) at(line int) string {
	switch {
	case s.name == "bash" && s.interactive:
		return "bash: "
	case s.name == "bash":
		return fmt.Sprintf("bash: line %d: ", line)
	}
	return fmt.Sprintf("%s: %d: ", s.name, line)
}

// input is what a handler's commands read.
func (s *session) input(hc interp.HandlerContext) input {
	file, _ := hc.Stdin.(*os.File)
	return input{file, s.run.inputs.reader(file), s.terminal}
}
