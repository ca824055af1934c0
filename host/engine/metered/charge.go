package metered

import (
	"context"
	"errors"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// CallPrice is the fuel of a call of a host function, about what it takes in time. What
// the function does comes on top of it: see [Meter.Charge].
const CallPrice = 64

// settleAt is how much a guest may owe for what host functions have done. To read and
// write the guest's fuel costs as much as a small host function does with some engines, so
// that it isn't done for each call of one. It has nothing to do with slices, on which no
// limit may depend.
const settleAt = 4096

// Charge makes the call in progress pay for what a host function does for it. It fails
// with a *metering.OutOfFuelError when the fuel of the call is used up, which is noticed
// once there are some thousand units to be paid. It is for host functions only, and
// [engine.Charge] finds it.
func (m *Meter) Charge(units int64) error {
	m.owed += units
	if m.owed < settleAt {
		return nil
	}
	return m.settle()
}

// pay charges for a call of a host function. It looks at the context if the guest has got
// another slice for what it owed: so it doesn't ask for one itself, and a loop that does
// little but call host functions would never do so.
func (m *Meter) pay(ctx context.Context) error {
	if err := m.Charge(CallPrice); err != nil {
		return err
	}
	if !m.unseen {
		return nil
	}
	m.unseen = false
	return m.module.engine.look(ctx)
}

// settle takes what the guest owes from its fuel, and gives it another slice if there is
// none left. The fuel of a start function can't be reached: it pays when it asks for more.
func (m *Meter) settle() error {
	if m.fuel == nil {
		if limit := m.tank.Limit; limit > 0 && m.owed > limit {
			return fmt.Errorf("engine: %w", &metering.OutOfFuelError{Limit: limit, Used: m.owed})
		}
		return nil
	}
	fuel := int64(m.fuel.Get()) - m.owed
	m.owed = 0
	var err error
	if fuel < 0 {
		m.unseen = true
		fuel, err = m.refill(fuel)
	}
	m.fuel.Set(uint64(fuel))
	return err
}

// refill gives a guest that has no fuel left another slice. If it fails, the fuel is the
// one that the guest has then.
func (m *Meter) refill(fuel int64) (int64, error) {
	if m.fuel == nil {
		fuel -= m.owed
		m.owed = 0
	}
	m.asked, m.denied = m.tank.Used(fuel)+m.owed, true
	next, err := m.tank.Refill(fuel)
	if out, ok := errors.AsType[*metering.OutOfFuelError](err); ok {
		out.Used += m.owed
	}
	if err != nil {
		return fuel, fmt.Errorf("engine: %w", err)
	}
	if err := m.reportUse(next); err != nil {
		return next, err
	}
	m.denied = false
	return next, nil
}

// reportUse reports what the call has used since the last report, if anybody wants it. What
// it owes isn't among it yet: where a slice ends depends on what earlier calls have left
// of theirs, and no limit may.
func (m *Meter) reportUse(fuel int64) error {
	if m.report == nil {
		return nil
	}
	used := m.tank.Used(fuel)
	last := m.reported
	m.reported = used
	if err := m.report(used - last); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	return nil
}
