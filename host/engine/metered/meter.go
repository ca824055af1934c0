package metered

import (
	"errors"
	"sync/atomic"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
)

// A Meter is the account of an instance. Like the instance, it is not safe for
// concurrent use.
type Meter struct {
	instance *instance
	module   *Module
	fuel     engine.Global
	globals  []engine.Global

	tank    metering.Tank
	left    int64 // in the global
	used    int64
	total   int64
	refused int
	tooDeep bool
	wanted  uint32 // pages, when it was last refused

	entries       uint32 // of the table, when it was last refused some
	wantedEntries uint32 // which were as many as that

	owed     int64 // for what host functions have done
	asked    int64 // what the call had used when it last asked for more
	denied   bool  // and didn't get it
	unseen   bool  // it got another slice, and nobody has looked at its context
	reported int64 // of the call in progress
	report   func(fuel int64) error

	running bool
	dead    bool // its last call has failed
	closed  atomic.Bool
}

// Of gives the meter of an instance that a metered engine has made.
func Of(in engine.Instance) (*Meter, bool) {
	metered, ok := in.(*instance)
	if !ok {
		return nil, false
	}
	return &metered.Meter, true
}

// SetLimit sets the fuel that each of the next calls may use. 0 means no limit. It has
// no effect on a call in progress.
func (m *Meter) SetLimit(fuel int64) { m.tank.Limit = max(fuel, 0) }

// ReportSlice is the most fuel that a call uses between two reports. See [Meter.ReportTo].
const ReportSlice = 100_000

// ReportTo has the next calls report the fuel that they use while they last: each calls
// report once for each slice, with what it has used since it did so before. An error from
// it ends the call. So calls of several instances that run at a time can keep to a limit
// together, but for little more than a ReportSlice of each. What a call uses after the
// last slice is in Used alone. nil ends the reports.
func (m *Meter) ReportTo(report func(fuel int64) error) {
	if (report == nil) != (m.report == nil) {
		m.tank.Slice = m.module.slice(report != nil)
		m.left = -1 // which may be more than a slice
	}
	m.report = report
}

// Used is the fuel of the last call, or of the start function before the first.
// Within a call, it is that of the one before.
func (m *Meter) Used() int64 { return m.used }

// Total is the fuel of all calls and the start function.
func (m *Meter) Total() int64 { return m.total }

// Refused says how often the last call, or the one in progress, was refused memory,
// and how many pages it wanted the last time.
func (m *Meter) Refused() (times int, pages uint32) { return m.refused, m.wanted }

// RefusedEntries says how many entries the last call, or the one in progress, wanted for
// a table when it was last refused some, and how many the table had. 0 wanted entries mean
// that it was refused none.
func (m *Meter) RefusedEntries() (wanted, entries uint32) { return m.wantedEntries, m.entries }

// Module is what the instance is one of.
func (m *Meter) Module() *Module { return m.module }

// attach finds what the meter reads and writes.
func (m *Meter) attach() {
	m.fuel, _ = m.instance.inner.Global(metering.ExportFuel)
}

func (m *Meter) begin() {
	m.running = true
	m.refused, m.wanted, m.wantedEntries = 0, 0, 0
	if !m.tank.Resume(m.left) {
		m.fuel.Set(uint64(m.tank.Fill()))
	}
}

func (m *Meter) end() {
	m.left = int64(m.fuel.Get())
	m.used = m.tank.Used(m.left) + m.owed
	m.owed, m.reported = 0, 0
	m.total += m.used
	m.running = false
}

// stackOverflow is what engines call the trap of a stack that is full.
const stackOverflow = "stack overflow"

// failed is the error of a call, which may have broken a limit.
func (m *Meter) failed(err error) error {
	m.dead = true
	trap, ok := errors.AsType[*engine.TrapError](err)
	switch {
	case !ok:
		return err
	case m.tooDeep:
		overflow := &engine.TrapError{Reason: stackOverflow, Stack: trap.Stack, Err: trap.Err}
		return &DepthError{Limit: m.module.limits.Depth, Trap: overflow}
	case m.module.limits.Depth > 0 && trap.Reason == stackOverflow:
		return &DepthError{Limit: m.module.limits.Depth, Trap: trap, Full: true}
	case m.refused > 0:
		return &MemoryError{Wanted: m.wanted, Pages: m.pages(), Trap: trap}
	case m.wantedEntries > 0:
		return &TableError{Wanted: m.wantedEntries, Entries: m.entries, Trap: trap}
	default:
		return err
	}
}

// unstarted is the error of a start function with the fuel that it has used.
func (m *Meter) unstarted(err error) error {
	used := m.tank.Used(0) + m.owed
	if m.denied {
		used = m.asked
	}
	if used == 0 {
		return err
	}
	return &StartError{Used: used, Err: err}
}

// pages is the size of the memory.
func (m *Meter) pages() uint32 {
	if m.instance.inner == nil || m.instance.inner.Memory() == nil {
		return 0
	}
	return uint32(m.instance.inner.Memory().Size() / engine.PageSize)
}
