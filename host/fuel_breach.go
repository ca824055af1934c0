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
func (a *fuelAccount) breach(e *GuestError) {
	switch {
	case e.Kind == GuestInterrupted:
	case isA[*metering.OutOfFuelError](e.Err):
		breach := a.tightest()
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
		limit := int64(a.limits.ReplyBytes)
		e.Breach = &Breach{LimitReply, limit + 1, limit}
	case e.Kind == GuestTrap, e.Kind == GuestPanic, e.Kind == GuestExit && e.ExitCode != 0:
		a.refusal(e)
	}
}

// refusal makes it an error of memory or tables if the instance was refused some of them. A
// limit that is the module's own, and not ours, isn't named.
func (a *fuelAccount) refusal(e *GuestError) {
	breach := &Breach{Limit: LimitMemory, Reached: a.wantedBytes(e)}
	most := a.most()
	own := int64(most.MemoryPages) * engine.PageSize
	if breach.Reached == 0 {
		breach = &Breach{Limit: LimitTable, Reached: a.wantedEntries(e)}
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
func (a *fuelAccount) most() engine.Bounds {
	if a.meter != nil {
		return a.meter.Module().Bounds()
	}
	code := a.limits.code()
	return engine.Bounds{MemoryPages: uint64(code.MemoryPages), TableEntries: uint64(code.TableEntries)}
}

// wantedBytes is how much memory the guest wanted in all when it was last refused some, or
// 0 if it wasn't.
func (a *fuelAccount) wantedBytes(e *GuestError) int64 {
	if refused, ok := errors.AsType[*metered.MemoryError](e.Err); ok {
		return (int64(refused.Pages) + int64(refused.Wanted)) * engine.PageSize
	}
	if a.meter == nil {
		return 0
	}
	times, pages := a.meter.Refused()
	if times == 0 {
		return 0
	}
	wanted := int64(pages) * engine.PageSize
	if a.memory != nil {
		wanted += int64(a.memory.Size())
	}
	return wanted
}

// wantedEntries is how many entries of a table it wanted in all, in the same way.
func (a *fuelAccount) wantedEntries(e *GuestError) int64 {
	if refused, ok := errors.AsType[*metered.TableError](e.Err); ok {
		return int64(refused.Entries) + int64(refused.Wanted)
	}
	if a.meter == nil {
		return 0
	}
	wanted, entries := a.meter.RefusedEntries()
	if wanted == 0 {
		return 0
	}
	return int64(entries) + int64(wanted)
}
