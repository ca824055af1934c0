package host

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"

	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A run is one instance of a program, made for one call: from its start to its
// end.
type run struct {
	module  string // the name that it was loaded under
	handler string // of a command
	session *Scripted
	record  *record
	index   int // of the call
	env     *wasi.Env
	limits  Limits // the session's and the module's, whichever are stricter
	account fuelAccount
}

func (r *run) wasiEnv() *wasi.Env { return r.env }

// runFor begins a run for the call that a context is of, of a module with limits of its
// own. The caller calls end when it is over.
func runFor(ctx context.Context, module, handler string, own Limits, call Call) (r *run, end func(), err error) {
	scope := scopeOf(ctx)
	if scope == nil {
		return nil, nil, errNoSession
	}
	err = scope.session.guests.begin()
	limits := scope.session.config.limits.Stricter(own)
	return &run{
		module: module, handler: handler, session: scope.session, record: scope.record, index: call.index,
		limits: limits, account: fuelAccount{session: scope.session, limits: limits, record: scope.record},
	}, scope.session.guests.end, err
}

// An ending is how a program ended that wasn't ended by something else.
type ending struct {
	stdout, stderr wasi.Output
	exitCode       uint32
}

// start runs the program to its end. The configuration lacks time, seed and files. An
// exit, with whatever code, is no error; the error says neither what was printed nor where.
func (r *run) start(ctx context.Context, c *compilation, config wasi.Config) (end ending, failure *GuestError) {
	config.Now = r.session.config.callTime(r.index)
	config.Seed = callSeed(r.session.config.seed, r.index)
	config.Files = r.session.Workspace()
	r.env = wasi.NewEnv(config)
	defer r.env.Close()
	err := r.call(ctx, c)
	end.stdout, end.stderr = r.env.DrainStdout(), r.env.DrainStderr()
	if exit, ok := errors.AsType[*wasi.ExitError](err); ok {
		end.exitCode, err = exit.Code, nil
	}
	if err != nil {
		failure = guestErrorOf(err)
		r.account.breach(failure)
	}
	return end, failure
}

// call makes the instance, runs it, and discards it whatever happens.
func (r *run) call(ctx context.Context, c *compilation) error {
	code, err := c.within(ctx, r.limits)
	if err != nil {
		return err
	}
	instance, err := r.account.instantiate(ctx, code, r)
	if err != nil {
		return err
	}
	defer func() { _ = instance.Close(context.Background()) }() // what matters is how it ended
	if err := r.account.setLimit(); err != nil {
		return err
	}
	start, _ := instance.Function(exportStart)
	return r.account.charge(start.Call(ctx, nil))
}

// fail completes an error with the end of what was printed on standard error.
func (r *run) fail(e *GuestError, stderr wasi.Output) *GuestError {
	e.Module, e.Handler, e.Call, e.Export = r.module, r.handler, r.index, exportStart
	e.Stderr = toUTF8(string(stderr.Bytes[max(0, len(stderr.Bytes)-wasi.DefaultMaxStderr):]))
	return e
}

// log keeps what was printed in the record of the call, up to a number of bytes,
// and gives how many it kept: of standard error the end, where a program that dies
// says why.
func (r *run) log(source LogSource, output wasi.Output, most int) int {
	if r.record == nil || output.Total == 0 {
		return 0
	}
	level, kept := LogInfo, output.Bytes[:min(len(output.Bytes), most)]
	if source == SourceStderr {
		level, kept = LogError, output.Bytes[max(0, len(output.Bytes)-most):]
	}
	r.session.addLog(r.record, LogEntry{
		Module: r.module, Source: source, Level: level, Text: toUTF8(string(kept)),
		Dropped: int(min(output.Total-uint64(len(kept)), math.MaxInt)),
	})
	return len(kept)
}

// callSeed is the seed of one call: calls have random bytes of their own, since
// each begins anew.
func callSeed(seed uint64, index int) uint64 { return rand.NewPCG(seed, uint64(index)).Uint64() }
