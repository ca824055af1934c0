package host

import (
	"context"
	"errors"
	"math"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A tab is what a guest, or the run of a program, has used for the call that it works
// for. The zero tab counts nothing.
type tab struct {
	session *Scripted
	limits  Limits         // the session's and the module's, whichever are stricter
	meter   *metered.Meter // of the instance; nil if the engine doesn't count
	memory  engine.Memory  // of the instance
	record  *record        // of the call; may be nil
	spent   int64          // for the call, by this guest or run
	room    int64          // what the last call of the instance may use; 0: no limit
}

// instantiate makes the instance, and counts what its start function does.
func (t *tab) instantiate(ctx context.Context, code engine.Module, data any) (engine.Instance, error) {
	t.meter, t.memory = nil, nil
	in, err := t.start(ctx, code, data)
	if err != nil {
		if out, ok := errors.AsType[*metering.OutOfFuelError](err); ok {
			t.add(out.Used)
		}
		return nil, err
	}
	t.meter, _ = metered.Of(in)
	t.memory = in.Memory()
	if err := t.charge(nil); err != nil {
		_ = in.Close(context.Background()) // the failure that matters is that of fuel
		return nil, err
	}
	return in, nil
}

// fill gives the instance what it may use. It fails if that is nothing.
func (t *tab) fill() error {
	if t.meter == nil || !t.limited() {
		return nil
	}
	if err := t.look(); err != nil {
		return err
	}
	t.meter.SetLimit(t.room)
	return nil
}

func (t *tab) limited() bool { return t.limits.CallFuel > 0 || t.limits.SessionFuel > 0 }

// look finds out how much there is to use. It fails if that is nothing.
func (t *tab) look() error {
	nearest := t.tightest()
	if t.room = nearest.Allowed - nearest.Reached; t.room <= 0 {
		return errNoFuel
	}
	return nil
}

// errNoFuel is the end of a call that has nothing to use from the start, or that has used
// too much in its last steps, in which the instance doesn't look.
var errNoFuel = &metering.OutOfFuelError{}

// start makes the instance within what may be used.
func (t *tab) start(ctx context.Context, code engine.Module, data any) (engine.Instance, error) {
	counted, ok := code.(*metered.Module)
	if !ok || !t.limited() {
		return code.Instantiate(ctx, data)
	}
	if err := t.look(); err != nil {
		return nil, err
	}
	return counted.InstantiateWithin(ctx, data, t.room)
}

// affords reports whether so much fuel may still be used.
func (t *tab) affords(fuel int64) bool {
	return !t.limited() || t.look() == nil && fuel <= t.room
}

// charge takes down what the last call of the instance has used, which ended with an
// error or without. It fails if that was too much.
func (t *tab) charge(err error) error {
	if t.meter == nil {
		return err
	}
	used := t.meter.Used()
	t.add(used)
	if t.room > 0 && used > t.room && (err == nil || isA[*wasi.ExitError](err)) {
		return errNoFuel
	}
	return err
}

func (t *tab) add(fuel int64) {
	t.spent += fuel
	t.session.fuel.Add(fuel)
	if t.record != nil {
		t.record.fuel.Add(fuel)
	}
}

// tightest is the limit of fuel that is nearest, or that was gone over, with what is
// used of it.
func (t *tab) tightest() Breach {
	nearest, room := Breach{}, int64(math.MaxInt64)
	consider := func(limit LimitName, used, allowed int64) {
		if allowed > 0 && allowed-used < room {
			nearest, room = Breach{limit, used, allowed}, allowed-used
		}
	}
	consider(LimitFuel, t.spent, t.limits.CallFuel)
	if t.record != nil {
		consider(LimitFuel, t.record.fuel.Load(), t.session.config.limits.CallFuel)
	}
	consider(LimitSessionFuel, t.session.fuel.Load(), t.limits.SessionFuel)
	return nearest
}

// breach completes an error with the limit that was gone over.
func (t *tab) breach(e *GuestError) {
	switch {
	case e.Kind == GuestInterrupted:
	case isA[*metering.OutOfFuelError](e.Err):
		breach := t.tightest()
		e.Kind, e.Breach, e.Message = GuestOutOfFuel, &breach, breach.String()
	case isA[*metered.DepthError](e.Err):
		deep, _ := errors.AsType[*metered.DepthError](e.Err)
		e.Kind, e.Breach = GuestTooDeep, &Breach{LimitDepth, int64(deep.Limit) + 1, int64(deep.Limit)}
		e.Message += ": " + e.Breach.String()
	case e.Kind == GuestTrap, e.Kind == GuestPanic, e.Kind == GuestExit && e.ExitCode != 0:
		t.memoryBreach(e)
	}
}

// memoryBreach makes it an error of memory if the instance was refused some. A limit
// that isn't ours, such as the module's own, isn't told.
func (t *tab) memoryBreach(e *GuestError) {
	var has, wanted int64 // bytes
	if refused, ok := errors.AsType[*metered.MemoryError](e.Err); ok {
		has, wanted = int64(refused.Pages)*wasmPage, int64(refused.Wanted)*wasmPage
	} else if t.meter != nil {
		times, pages := t.meter.Refused()
		if times == 0 {
			return
		}
		if wanted = int64(pages) * wasmPage; t.memory != nil {
			has = int64(t.memory.Size())
		}
	} else {
		return
	}
	e.Kind, e.Breach = GuestOutOfMemory, &Breach{Limit: LimitMemory, Reached: has + wanted}
	if allowed := int64(t.limits.code().MemoryPages) * wasmPage; e.Breach.Reached > allowed {
		e.Breach.Allowed = allowed
	}
	e.Message = strings.TrimPrefix(e.Message+": "+e.Breach.String(), ": ")
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
