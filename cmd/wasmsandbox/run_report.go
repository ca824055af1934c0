package main

import (
	"context"
	"errors"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// A scriptReport is what came of one script, as --format json prints it.
type scriptReport struct {
	File           string        `json:"file"`
	Verdict        string        `json:"verdict"`
	Complete       bool          `json:"complete"`
	Calls          []*callReport `json:"calls"`
	RemainingSteps int           `json:"remaining_steps"`
	PendingMethods []string      `json:"pending_methods"`
	Fuel           int64         `json:"fuel"` // of all calls, and to close the guests
	Error          *runError     `json:"error"`

	Workspace *workspaceReport `json:"workspace,omitempty"` // with --show-workspace, if there is one
	Saved     string           `json:"saved,omitempty"`     // with --save: the file

	Checkpoint string `json:"checkpoint,omitempty"` // with --checkpoint: the file

	// Counted, since not all reporters keep the calls.
	indexes []int32 // of each call made: as the session recorded it, or -1
	failed  int     // calls that aren't as they should be

	code    int
	steps   int  // consumed
	before  int  // steps consumed before the run, with --from
	mayStop bool // steps may be left
	backed  int  // calls that the workspace answered
	bare    bool // the workspace is to be shown, and there is none
	pending []host.Step
}

// A runError is what is wrong with a whole run: a script that can't be used, a
// run that was ended, or a guest that failed at the end.
type runError struct {
	Message  string        `json:"message"`
	Problems []problemInfo `json:"problems"`
}

// verdicts are the words for exit codes.
var verdicts = map[int]string{exitOK: "held", exitFailed: "not held", exitUsage: "invalid", exitGuest: "guest failed", exitTime: "inconclusive"}

func newScriptReport(file string) *scriptReport {
	return &scriptReport{File: file, Calls: []*callReport{}, PendingMethods: []string{}}
}

func (r *scriptReport) raise(code int) {
	r.code = worse(r.code, code)
	r.Verdict = verdicts[r.code]
}

// add notes a call that was made.
func (r *scriptReport) add(result *scripts.Result) *callReport {
	call := newCallReport(r.made(), r.before+r.steps, result)
	if call.Step != nil && call.Step.Consumed {
		r.steps++
	}
	if call.AnsweredBy == byWorkspace {
		r.backed++
	}
	if call.failed != nil && call.failed.Kind == host.GuestDead {
		call.deadFrom = r.deathOf(call.failed)
	}
	index := -1
	if call.recorded {
		index = call.call.Index()
	}
	r.indexes = append(r.indexes, int32(index))
	if !call.OK {
		r.failed++
	}
	return call
}

// made counts the calls.
func (r *scriptReport) made() int { return len(r.indexes) }

// deathOf is the call, from one, that a guest died in, or 0. The host counts only
// the calls that the session recorded.
func (r *scriptReport) deathOf(dead *host.GuestError) int {
	first, ok := errors.AsType[*host.GuestError](dead.Err)
	if !ok {
		return 0
	}
	if first.Call < 0 {
		return 0
	}
	return slices.Index(r.indexes, int32(first.Call)) + 1
}

// refuse notes why the script can't be run, or run on.
func (r *scriptReport) refuse(ctx context.Context, file string, err error) *scriptReport {
	if ctx.Err() != nil {
		r.ended(ctx)
		return r
	}
	list := problemsOf(file, err)
	r.Error = &runError{Message: count(len(list), "problem"), Problems: list}
	r.raise(exitUsage)
	return r
}

// ended notes that the context ended the run.
func (r *scriptReport) ended(ctx context.Context) {
	r.Error = &runError{Message: context.Cause(ctx).Error(), Problems: []problemInfo{}}
	r.raise(exitTime)
}

// finish judges the run when all calls are made.
func (r *scriptReport) finish(ctx context.Context, done *scripts.Report) {
	if ctx.Err() != nil && done.Err == nil { // between two calls
		done.Err = ctx.Err()
	}
	r.Complete = done.Complete()
	r.RemainingSteps = done.Remaining
	r.pending = done.Pending
	for _, step := range done.Pending {
		r.PendingMethods = append(r.PendingMethods, step.Method.String())
	}
	judged := *done
	if r.mayStop {
		judged.Remaining = 0
	}
	switch judged.Verdict() {
	case scripts.Held:
		r.raise(exitOK)
	case scripts.GuestFailed:
		r.raise(exitGuest)
	case scripts.Inconclusive:
		r.raise(exitTime)
	default:
		r.raise(exitFailed)
	}
	switch {
	case ctx.Err() != nil:
		r.ended(ctx)
	case r.Error == nil && r.made() == 0:
		r.Error = &runError{Message: "no call was made", Problems: []problemInfo{}}
		r.raise(exitFailed)
	}
}

// closed notes that the session couldn't be closed.
func (r *scriptReport) closed(err error) {
	if r.Error == nil {
		r.Error = &runError{Message: "closing the session: " + err.Error(), Problems: []problemInfo{}}
	}
	switch _, guest := errors.AsType[*host.GuestError](err); {
	case errors.Is(err, context.DeadlineExceeded):
		r.raise(exitTime)
	case guest:
		r.raise(exitGuest)
	default:
		r.raise(exitFailed)
	}
}

// saved notes whether the workspace was written to a file.
func (r *scriptReport) saved(name string, err error) {
	if r.wrote("--save", name, err) {
		r.Saved = name
	}
}

// kept notes whether the session was written to a file.
func (r *scriptReport) kept(name string, err error) {
	if r.wrote("--checkpoint", name, err) {
		r.Checkpoint = name
	}
}

// wrote reports whether the file of a flag was written, which fails the run if not.
func (r *scriptReport) wrote(flag, name string, err error) bool {
	if err == nil {
		return true
	}
	if r.Error == nil {
		r.Error = &runError{Message: flag + " " + name + ": " + err.Error(), Problems: []problemInfo{}}
	}
	r.raise(exitFailed)
	return false
}
