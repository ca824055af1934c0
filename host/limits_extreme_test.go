package host_test

import (
	"math"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// largestLimits are such as nothing can go over.
func largestLimits() host.Limits {
	return host.Limits{
		InlineBytes: math.MaxInt, ReplyBytes: math.MaxInt, LogBytes: math.MaxInt, BlobBytes: math.MaxInt,
		CallFuel: math.MaxInt64, SessionFuel: math.MaxInt64, CallDepth: math.MaxInt,
		MemoryBytes: math.MaxInt64, TableEntries: math.MaxInt, CallTime: math.MaxInt64,
	}
}

func TestNothingGoesOverTheLargestLimits(t *testing.T) {
	m, p := kitchenC(t), loadProgram(t, "tool")
	tools := host.WithWorkspace(host.Workspace{Tools: map[string]shell.Tool{"x": p.Tool()}})
	for _, c := range []struct {
		name  string
		steps []host.Step
		opts  []host.Option
	}{
		{"guest", counting(t, m, 2), nil},
		{"program", runs(p, 2), nil},
		{"tool", nil, []host.Option{tools}},
	} {
		largest := largestLimits()
		onlyCalls, onlySession := largest, largest
		onlyCalls.SessionFuel, onlySession.CallFuel = 0, 0
		want := fuelOf(t, newSession(t, c.steps, c.opts...), 2)
		for _, limits := range []host.Limits{largest, onlyCalls, onlySession} {
			t.Run(c.name, func(t *testing.T) {
				got := fuelOf(t, newSession(t, c.steps, append(c.opts, host.WithLimits(limits))...), 2)
				if got[1] != want[1] || got[1] == 0 { // the first one is told of the limits, too
					t.Errorf("the calls use %d, without limits %d", got, want)
				}
			})
		}
	}
}

func TestACallAndASessionThatRunOutTogetherTellOfTheCall(t *testing.T) {
	m := kitchenC(t)
	fuel := fuelOf(t, newSession(t, counting(t, m, 1)), 1)[0]
	s := newSession(t, counting(t, m, 1), host.WithLimits(host.Limits{CallFuel: fuel - 1, SessionFuel: fuel - 1}))
	_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
	wantBreach(t, err, host.GuestOutOfFuel, host.Breach{Limit: host.LimitFuel, Reached: s.Fuel(), Allowed: fuel - 1})
}

func TestTheSmallestLimitsEndACallOnce(t *testing.T) {
	m := kitchenC(t)
	for _, c := range []struct {
		limits host.Limits
		kind   host.GuestErrorKind
		limit  host.LimitName
	}{
		{host.Limits{CallFuel: 1}, host.GuestOutOfFuel, host.LimitFuel},
		{host.Limits{SessionFuel: 1}, host.GuestOutOfFuel, host.LimitSessionFuel},
		{host.Limits{CallDepth: 1}, host.GuestTooDeep, host.LimitDepth},
		{host.Limits{ReplyBytes: 1}, host.GuestLimit, host.LimitReply},
		{host.Limits{CallFuel: 1, SessionFuel: 1, ReplyBytes: 1}, host.GuestOutOfFuel, host.LimitFuel},
	} {
		s := newSession(t, counting(t, m, 2), host.WithLimits(c.limits))
		_, err := s.Exec(t.Context(), host.ExecRequest{Command: []string{"x"}})
		e := wantGuestError(t, err, c.kind)
		if e.Breach == nil || e.Breach.Limit != c.limit || e.Breach.Allowed != 1 || e.Breach.Reached < 1 || s.RemainingSteps() != 1 {
			t.Errorf("%+v: the breach is %+v, %d steps remain", c.limits, e.Breach, s.RemainingSteps())
		}
	}
}
