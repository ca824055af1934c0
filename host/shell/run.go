package shell

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// A run is one call of Shell.Run, with all shells and commands that it runs in
// turn. All of it happens in one goroutine, except for waiting for somebody who types.
type run struct {
	shell  *Shell
	limits Limits
	cancel context.CancelFunc

	began    int64 // in the workspace's time
	commands int
	output   int64
	matches  int   // names looked at for the current command
	largest  int   // bytes of the largest variable so far
	grown    int   // bytes by which variables can have grown since they were added up
	status   int   // $? before a guard
	traced   bool  // set -x was asked for, at some time
	plain    bool  // what is written now is a command's, and no trace
	first    bool  // the next turn of a loop is its first
	looped   int   // the exit code of the last turn of a loop
	statuses []int // of the commands of the last pipeline
	piped    int   // how many commands there had been at its end
	left     int   // how deep the outermost list of statements is nested that is left
	exempted int   // the exit code that mustn't end what is in a body, but its shell
	stages   []*stage
	times    []int64 // when the commands that are timed began
	jobs     []int   // exit codes of what was in the background
	random   *rand.Rand

	typed context.Context // of what is typed, if that is what runs

	mu  sync.Mutex
	err error // why the run has to end

	inputs    standIns
	documents map[*os.File]struct{}    // of the interpreter, to be closed at the end
	outputs   map[*outputFile]struct{} // that are open
}

// Run runs a command to its end and gives its exit code: that of sh, bash or dash
// is a script; env and sudo are understood; another one is a tool, or an executable
// file of the workspace. What isn't found is 127, what can't be executed is 126.
//
// The error is the context's, a *[LimitError], an *[InternalError], an *[fs.PathError] of
// a redirection that the workspace has no room for, or what a tool or Module failed
// with. What is refused is none: it is a message and exit code 2.
func (s *Shell) Run(ctx context.Context, p Process) (exitCode int, err error) {
	if runtime.GOOS == "windows" {
		return 0, fmt.Errorf("the shell on Windows: %w", errors.ErrUnsupported)
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	r := &run{
		shell: s, piped: -1, limits: s.Limits.withDefaults(), cancel: cancel, began: s.Files.Now(),
		random: rand.New(rand.NewPCG(1, 2)), documents: map[*os.File]struct{}{}, outputs: map[*outputFile]struct{}{},
	}
	defer r.closeFiles()
	r.prepare(&p)
	code, err := r.guarded(inner, p)
	r.closeFiles()
	return r.outcome(ctx, code, err)
}

func (r *run) prepare(p *Process) {
	if p.Env == nil {
		p.Env = r.shell.Env
	}
	if p.Dir == "" {
		p.Dir = r.shell.Files.Policy().Root()
	}
	if p.User == (User{}) {
		p.User = r.shell.User
	}
	if p.User.Name == "" {
		p.User.Name = "root"
	}
	if p.Umask == 0 {
		p.Umask = standardUmask
	}
	p.Env = exportedBy(r.environ(*p), p.Dir)
	p.Stdout, p.Stderr = r.limited(p.Stdout), r.limited(p.Stderr)
}

// guarded runs a process; what panics in it is an error.
func (r *run) guarded(ctx context.Context, p Process) (code int, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = &InternalError{Cause: cause, Stack: debug.Stack()}
		}
	}()
	return r.process(ctx, p, caller{})
}

// outcome decides which error tells best why a run ended.
func (r *run) outcome(ctx context.Context, code int, err error) (int, error) {
	switch reason := r.failure(); {
	case ctx.Err() != nil && (reason == nil || errors.Is(reason, ctx.Err())):
		return 0, context.Cause(ctx)
	case reason != nil:
		return 0, reason
	case err != nil:
		return 0, err
	default:
		return code, nil
	}
}

// fail ends the run.
func (r *run) fail(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err == nil {
		r.err = err
	}
	r.cancel()
	return r.err
}

// interrupted is an error if ^C was typed.
func (r *run) interrupted() error {
	if r.typed == nil {
		return nil
	}
	return r.typed.Err()
}

// failed ends the run, unless a context has ended what failed: that may be of a part of the run
// only, such as what timeout runs, and ends its interpreter as well.
func (r *run) failed(stopped, err error) error {
	if stopped != nil {
		return err
	}
	return r.fail(err)
}

func (r *run) failure() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.err
}

func (r *run) exceeded(limit string, most int64) error {
	return r.fail(&LimitError{Limit: limit, Max: most})
}

// framesPerCall is how many Go functions one call of a function of a script takes. It is
// about that: one build of a program always ends the same scripts, but another version of
// the interpreter or of Go may draw the line elsewhere.
const framesPerCall = 50

// checkDepth says whether functions and scripts are nested too deep. They are
// nested as the Go functions are that run them.
func (r *run) checkDepth() error {
	var one [1]uintptr
	if runtime.Callers(r.limits.Depth*framesPerCall, one[:]) > 0 {
		return r.exceeded("depth", int64(r.limits.Depth))
	}
	return nil
}
