package host

import (
	"context"
	"errors"
	"math"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A fuelAccount is what a guest, or the run of a program, has used for the call that it works
// for. The zero fuelAccount counts nothing.
type fuelAccount struct {
	session *Scripted
	limits  Limits         // the session's and the module's, whichever are stricter
	meter   *metered.Meter // of the instance; nil if the engine doesn't count
	memory  engine.Memory  // of the instance
	record  *record        // of the call; may be nil
	spent   int64          // for the call, by this guest or run
	room    int64          // what the last call of the instance may use; 0: no limit
	told    int64          // of it, what has been added already
	teller  func(fuel int64) error
}

// instantiate makes the instance, and counts what its start function does, also if it
// fails.
func (t *fuelAccount) instantiate(ctx context.Context, code engine.Module, data any) (engine.Instance, error) {
	t.meter, t.memory, t.told = nil, nil, 0
	in, err := t.start(ctx, code, data)
	if err != nil {
		if failed, ok := errors.AsType[*metered.StartError](err); ok {
			t.add(max(failed.Used-t.told, 0))
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
func (t *fuelAccount) fill() error {
	if t.meter == nil || !t.limited() {
		return nil
	}
	if err := t.look(); err != nil {
		return err
	}
	t.meter.SetLimit(t.room)
	t.meter.Share(t.shared())
	return nil
}

// shared is who is told of what a call uses while it lasts: of the calls of a session,
// others may be using its fuel at the same time.
func (t *fuelAccount) shared() func(fuel int64) error {
	t.told = 0
	if t.limits.SessionFuel <= 0 {
		return nil
	}
	if t.teller == nil {
		t.teller = t.tell
	}
	return t.teller
}

// tell takes down what a call in progress has used. It fails if that is more than there
// was left.
func (t *fuelAccount) tell(fuel int64) error {
	t.told += fuel
	t.add(fuel)
	if nearest := t.tightest(); nearest.Reached > nearest.Allowed {
		return errNoFuel
	}
	return nil
}

func (t *fuelAccount) limited() bool { return t.limits.CallFuel > 0 || t.limits.SessionFuel > 0 }

// look finds out how much there is to use. It fails if that is nothing.
func (t *fuelAccount) look() error {
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
func (t *fuelAccount) start(ctx context.Context, code engine.Module, data any) (engine.Instance, error) {
	counted, ok := code.(*metered.Module)
	if !ok || !t.limited() {
		return code.Instantiate(ctx, data)
	}
	if err := t.look(); err != nil {
		return nil, err
	}
	return counted.InstantiateWithin(ctx, data, t.room, t.shared())
}

// repeat makes an instance whose start function has been counted before. It may use what
// it could then, so that what is left now makes no difference, and counts only if it
// fails.
func (t *fuelAccount) repeat(ctx context.Context, code *metered.Module, data any) (engine.Instance, error) {
	if !t.limited() {
		return code.Instantiate(ctx, data)
	}
	limit := t.limits.CallFuel
	if session := t.limits.SessionFuel; session > 0 && (limit <= 0 || session < limit) {
		limit = session
	}
	in, err := code.InstantiateWithin(ctx, data, limit, nil)
	if failed, ok := errors.AsType[*metered.StartError](err); ok {
		t.add(failed.Used)
	}
	if err != nil {
		return nil, err
	}
	if meter, ok := metered.Of(in); ok && meter.Used() > limit { // in its last steps
		t.add(meter.Used())
		_ = in.Close(context.Background()) // the failure that matters is that of fuel
		return nil, errNoFuel
	}
	return in, nil
}

// affords reports whether so much fuel may still be used.
func (t *fuelAccount) affords(fuel int64) bool {
	return !t.limited() || t.look() == nil && fuel <= t.room
}

// charge takes down what the last call of the instance has used, which ended with an
// error or without. It fails if that was too much.
func (t *fuelAccount) charge(err error) error {
	if t.meter == nil {
		return err
	}
	used := t.meter.Used()
	t.add(used - t.told)
	t.told = 0
	if t.room > 0 && used > t.room && (err == nil || isA[*wasi.ExitError](err)) {
		return errNoFuel
	}
	return err
}

func (t *fuelAccount) add(fuel int64) {
	t.spent += fuel
	t.session.fuel.Add(fuel)
	if t.record != nil {
		t.record.fuel.Add(fuel)
	}
}

// tightest is the limit of fuel that is nearest, or that was gone over, with what is
// used of it.
func (t *fuelAccount) tightest() Breach {
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
