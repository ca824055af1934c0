package host

import (
	"errors"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/metering"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// breach completes an error with the limit that was gone over.
func (t *fuelAccount) breach(e *GuestError) {
	switch {
	case e.Kind == GuestInterrupted:
	case isA[*metering.OutOfFuelError](e.Err):
		breach := t.tightest()
		e.Kind, e.Breach, e.Message = GuestOutOfFuel, &breach, breach.String()
	case isA[*metered.DepthError](e.Err):
		deep, _ := errors.AsType[*metered.DepthError](e.Err)
		e.Kind = GuestTooDeep
		if deep.Full { // of another limit than ours
			break
		}
		e.Breach = &Breach{LimitDepth, int64(deep.Limit) + 1, int64(deep.Limit)}
		e.Message += ": " + e.Breach.String()
	case errors.Is(e.Err, wasi.ErrOutputLimit):
		limit := int64(t.limits.ReplyBytes)
		e.Breach = &Breach{LimitReply, limit + 1, limit}
	case e.Kind == GuestTrap, e.Kind == GuestPanic, e.Kind == GuestExit && e.ExitCode != 0:
		t.refusal(e)
	}
}

// refusal makes it an error of memory or tables if the instance was refused some. A limit
// that isn't ours, but the module's own, isn't told.
func (t *fuelAccount) refusal(e *GuestError) {
	breach := &Breach{Limit: LimitMemory, Reached: t.wantedBytes(e)}
	most := t.most()
	own := int64(most.MemoryPages) * wasmPage
	if breach.Reached == 0 {
		breach = &Breach{Limit: LimitTable, Reached: t.wantedEntries(e)}
		own = int64(most.TableEntries)
	}
	if breach.Reached == 0 {
		return
	}
	if breach.Reached > own {
		breach.Allowed = own
	}
	e.Kind, e.Breach = GuestOutOfMemory, breach
	e.Message = strings.TrimPrefix(e.Message+": "+breach.String(), ": ")
}

// most is what the instance may have.
func (t *fuelAccount) most() engine.Bounds {
	if t.meter != nil {
		return t.meter.Module().Bounds()
	}
	code := t.limits.code()
	return engine.Bounds{MemoryPages: uint64(code.MemoryPages), TableEntries: uint64(code.TableEntries)}
}

// wantedBytes is how much memory the guest wanted in all when it was last refused some, or
// 0 if it wasn't.
func (t *fuelAccount) wantedBytes(e *GuestError) int64 {
	if refused, ok := errors.AsType[*metered.MemoryError](e.Err); ok {
		return (int64(refused.Pages) + int64(refused.Wanted)) * wasmPage
	}
	if t.meter == nil {
		return 0
	}
	times, pages := t.meter.Refused()
	if times == 0 {
		return 0
	}
	wanted := int64(pages) * wasmPage
	if t.memory != nil {
		wanted += int64(t.memory.Size())
	}
	return wanted
}

// wantedEntries is how many entries of a table it wanted in all, in the same way.
func (t *fuelAccount) wantedEntries(e *GuestError) int64 {
	if refused, ok := errors.AsType[*metered.TableError](e.Err); ok {
		return int64(refused.Entries) + int64(refused.Wanted)
	}
	if t.meter == nil {
		return 0
	}
	wanted, entries := t.meter.RefusedEntries()
	if wanted == 0 {
		return 0
	}
	return int64(entries) + int64(wanted)
}

func isA[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}
