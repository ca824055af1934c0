package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// isTyped reports whether a process reads from the terminal that it is at, and not from a
// pipe or a file.
func isTyped(p Process) bool {
	if in, ok := p.Stdin.(input); ok {
		_, ok = in.from.(*patient)
		return ok && p.Terminal
	}
	return p.Terminal
}

// interact runs what somebody types, statement by statement, as a shell without a script does
// at a terminal.
func (r *run) interact(ctx context.Context, p Process, sc script) (int, error) {
	if err := r.checkDepth(); err != nil {
		return 0, err
	}
	s := r.session(ctx, p, sc)
	s.interactive = true
	in := r.input(ctx, p)
	defer in.Close()
	runner, err := s.runner(in, p, sc)
	if err != nil {
		return s.badOptions(p, err)
	}
	defer r.setPlain(false)()
	d := &dialogue{session: s, process: p, runner: runner, zero: sc.zero, lines: &typedLines{run: r, in: input{in, r.inputs.reader(in), true}}}
	if err := d.untilOver(ctx); err != nil {
		return 0, err
	}
	if s.ending != "" {
		return s.end(ctx, runner, d.code)
	}
	return d.code, nil
}

// A dialogue is a shell at a terminal.
type dialogue struct {
	session *session
	process Process
	runner  *interp.Runner
	zero    string // $0
	lines   *typedLines
	code    int  // of the last statement
	stopped bool // the last was, by ^C
	over    bool // the input is, or the shell has exited
}

// exitInterrupted is the exit code of what ^C ended.
const exitInterrupted = 130

// untilOver runs what is typed. A ^C between two statements is for the next.
func (d *dialogue) untilOver(ctx context.Context) error {
	defer d.session.catch(func() {})()
	for !d.over {
		if err := d.untilInterrupted(ctx); err != nil {
			return err
		}
	}
	return nil
}

// untilInterrupted runs what is typed until that is ^C, or something that can't be parsed, or
// to the end.
func (d *dialogue) untilInterrupted(ctx context.Context) error {
	s, r := d.session, d.session.run
	typed, interrupt := context.WithCancel(ctx)
	defer interrupt()
	outer, stages, times := r.typed, len(r.stages), len(r.times)
	r.typed, s.stopped = typed, typed.Err
	release := s.catch(interrupt)
	err := d.resume(ctx)
	if err == nil {
		err = d.converse(typed)
	}
	d.stopped = typed.Err() != nil && ctx.Err() == nil && r.failure() == nil && !d.over
	release() // what is written until the next is caught may fail
	r.typed, s.stopped = outer, ctx.Err
	if !d.stopped {
		return err
	}
	r.stages, r.times, r.left, r.exempted = r.stages[:stages], r.times[:times], 0, 0
	return nil
}

// resume goes on after ^C.
func (d *dialogue) resume(ctx context.Context) (err error) {
	if d.stopped {
		fmt.Fprintln(d.process.Stderr)
		d.code, err = d.status(ctx, ":exit", strconv.Itoa(exitInterrupted))
	}
	return err
}

// converse runs statements up to one that can't be parsed, or to the end.
func (d *dialogue) converse(ctx context.Context) error {
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	var ended bool
	var failure error
	d.lines.frames = frames()
	d.next()
	parser.InteractiveSeq(d.lines)(func(stmts []*syntax.Stmt, err error) bool {
		if !ended {
			ended, failure = d.answer(ctx, parser, stmts, err)
			d.lines.closed = ended
		}
		return true // a parser that is told to end goes on, and panics
	})
	if !ended {
		fmt.Fprintln(d.process.Stderr) // for what comes next to begin a line
		d.over = true
	}
	return failure
}

// next begins the next statement.
func (d *dialogue) next() {
	d.lines.begin()
	d.prompt("PS1")
}

// answer runs what a line completes.
func (d *dialogue) answer(ctx context.Context, parser *syntax.Parser, stmts []*syntax.Stmt, err error) (ended bool, failure error) {
	switch {
	case err != nil:
		return true, d.failed(ctx, err)
	case parser.Incomplete():
		d.prompt("PS2")
		return false, nil
	}
	if err := d.run(ctx, slices.Clone(stmts)); err != nil || d.over {
		return true, err
	}
	d.next()
	return false, nil
}

// run runs the statements of a line.
func (d *dialogue) run(ctx context.Context, stmts []*syntax.Stmt) error {
	if len(stmts) == 0 {
		return nil
	}
	file := &syntax.File{Name: d.zero, Stmts: stmts}
	w := rewriter{run: d.session.run}
	if err := w.rewrite(file); err != nil {
		return d.failed(ctx, err)
	}
	s := d.session
	s.ending, s.leaves = "", false
	code, err := exitCode(d.runner.Run(ctx, file))
	d.code = code
	if err != nil || !d.runner.Exited() {
		return err
	}
	if !s.leaves { // an expansion that fails ends scripts only
		if code, err = d.status(ctx, ":errexit"); err == nil {
			_, err = d.status(ctx, ":exit", strconv.Itoa(d.code)) // $? again
		}
	}
	d.over = s.leaves || code == 0
	return err
}

// status runs one of the commands that only we call.
func (d *dialogue) status(ctx context.Context, command ...string) (int, error) {
	return exitCode(d.runner.Run(ctx, stmt(call(command...))))
}

// failed tells of statements that can't be run, and goes on with what is typed next.
func (d *dialogue) failed(ctx context.Context, err error) error {
	switch failure := d.session.run.failure(); {
	case failure != nil:
		return failure
	case errors.Is(err, errNesting):
		return d.session.run.exceeded("nesting", maxNesting)
	case d.lines.err != nil && d.lines.err != io.EOF:
		return d.lines.err
	}
	if d.code, err = d.session.syntaxError(d.process, err); err == nil {
		_, err = d.status(ctx, ":exit", strconv.Itoa(d.code))
	}
	d.over = d.lines.err == io.EOF
	return err
}

// prompt says that something may be typed. The prompts are the variables PS1 and PS2, as they
// are.
func (d *dialogue) prompt(name string) {
	text, isSet := valueOf(d.process.Env, name)
	if v, ok := d.runner.Vars[name]; ok {
		text, isSet = v.String(), v.IsSet()
	}
	switch {
	case isSet:
	case name == "PS2":
		text = "> "
	case d.session.user.UID == 0:
		text = "# "
	default:
		text = "$ "
	}
	fmt.Fprint(d.process.Stderr, text)
}
