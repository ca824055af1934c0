package host

import (
	"context"
	"errors"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// A fuelAccount is what a guest, or the run of a program, has used for the call that it works
// for. The zero fuelAccount counts nothing.
type fuelAccount struct {
	session  *Scripted
	limits   Limits         // the session's and the module's, whichever are stricter
	meter    *metered.Meter // of the instance; nil: there is none, or the engine doesn't count
	memory   engine.Memory  // of the instance
	record   *record        // of the call; may be nil
	spent    int64          // for the call, by this guest or run
	room     int64          // what the last call of the instance may use; 0: no limit
	reported int64          // of it, what has been added already
	reporter func(fuel int64) error
}

// attach has the account count what an instance uses.
func (a *fuelAccount) attach(in engine.Instance) {
	a.meter, _ = metered.Of(in)
	a.memory = in.Memory()
}

// detach ends that: the instance is closed, or is for another guest to use.
func (a *fuelAccount) detach() { a.meter, a.memory = nil, nil }

// instantiate makes the instance, and counts what its start function does, also if it
// fails.
func (a *fuelAccount) instantiate(ctx context.Context, code engine.Module, data any) (engine.Instance, error) {
	a.detach()
	a.reported = 0
	in, err := a.start(ctx, code, data)
	if err != nil {
		if failed, ok := errors.AsType[*metered.StartError](err); ok {
			a.add(max(failed.Used-a.reported, 0))
		}
		return nil, err
	}
	a.attach(in)
	if err := a.charge(nil); err != nil {
		_ = in.Close(context.Background()) // the failure that matters is that of fuel
		return nil, err
	}
	return in, nil
}

// setLimit gives the instance what its next call may use. It fails if that is nothing.
func (a *fuelAccount) setLimit() (err error) {
	if a.meter == nil || !a.limited() {
		return nil
	}
	if a.room, err = a.remaining(); err != nil {
		return err
	}
	a.meter.SetLimit(a.room)
	a.meter.ReportTo(a.startReports())
	return nil
}

// startReports gives what is called with the fuel that a call uses while it lasts, or nil:
// other calls of the session may be using its fuel at the same time.
func (a *fuelAccount) startReports() func(fuel int64) error {
	a.reported = 0
	if a.limits.SessionFuel <= 0 {
		return nil
	}
	if a.reporter == nil {
		a.reporter = a.report
	}
	return a.reporter
}

// report takes down what a call in progress has used. It fails if that is more than there
// was left.
func (a *fuelAccount) report(fuel int64) error {
	a.reported += fuel
	a.add(fuel)
	if nearest := a.tightest(); nearest.Reached > nearest.Allowed {
		return errNoFuel
	}
	return nil
}

func (a *fuelAccount) limited() bool { return a.limits.CallFuel > 0 || a.limits.SessionFuel > 0 }

// remaining is how much fuel there is to use. It fails if that is nothing.
func (a *fuelAccount) remaining() (int64, error) {
	nearest := a.tightest()
	if fuel := nearest.Allowed - nearest.Reached; fuel > 0 {
		return fuel, nil
	}
	return 0, errNoFuel
}

// errNoFuel is the end of a call that has nothing to use from the start, or that has used
// too much in its last steps, in which the instance doesn't look.
var errNoFuel = &metering.OutOfFuelError{}

// start makes the instance within what may be used.
func (a *fuelAccount) start(ctx context.Context, code engine.Module, data any) (engine.Instance, error) {
	counted, ok := code.(*metered.Module)
	if !ok || !a.limited() {
		return code.Instantiate(ctx, data)
	}
	var err error
	if a.room, err = a.remaining(); err != nil {
		return nil, err
	}
	return counted.InstantiateWithin(ctx, data, a.room, a.startReports())
}

// repeat makes an instance whose start function has been counted before. It may use what
// it could then, so that what is left now makes no difference, and counts only if it
// fails.
func (a *fuelAccount) repeat(ctx context.Context, code *metered.Module, data any) (engine.Instance, error) {
	if !a.limited() {
		return code.Instantiate(ctx, data)
	}
	limit := a.limits.CallFuel
	if session := a.limits.SessionFuel; session > 0 && (limit <= 0 || session < limit) {
		limit = session
	}
	in, err := code.InstantiateWithin(ctx, data, limit, nil)
	if failed, ok := errors.AsType[*metered.StartError](err); ok {
		a.add(failed.Used)
	}
	if err != nil {
		return nil, err
	}
	if meter, ok := metered.Of(in); ok && meter.Used() > limit { // in its last steps
		a.add(meter.Used())
		_ = in.Close(context.Background()) // the failure that matters is that of fuel
		return nil, errNoFuel
	}
	return in, nil
}

// affords reports whether so much fuel may still be used.
func (a *fuelAccount) affords(fuel int64) bool {
	if !a.limited() {
		return true
	}
	remaining, err := a.remaining()
	return err == nil && fuel <= remaining
}

// charge takes down what the last call of the instance has used, which ended with an
// error or without. It fails if that was too much.
func (a *fuelAccount) charge(err error) error {
	if a.meter == nil {
		return err
	}
	used := a.meter.Used()
	a.add(used - a.reported)
	a.reported = 0
	if a.room > 0 && used > a.room && (err == nil || isA[*wasi.ExitError](err)) {
		return errNoFuel
	}
	return err
}

func (a *fuelAccount) add(fuel int64) {
	a.spent += fuel
	a.session.fuel.Add(fuel)
	if a.record != nil {
		a.record.fuel.Add(fuel)
	}
}

// tightest is the limit of fuel that is nearest, or that was gone over, with what is
// used of it.
func (a *fuelAccount) tightest() Breach {
	var nearest Breach
	var room int64
	consider := func(limit LimitName, used, allowed int64) {
		if allowed > 0 && (allowed-used < room || nearest.Limit == "") {
			nearest, room = Breach{limit, used, allowed}, allowed-used
		}
	}
	consider(LimitFuel, a.spent, a.limits.CallFuel)
	if a.record != nil {
		consider(LimitFuel, a.record.fuel.Load(), a.session.config.limits.CallFuel)
	}
	consider(LimitSessionFuel, a.session.fuel.Load(), a.limits.SessionFuel)
	return nearest
}
