package host

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/metered"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// located puts what the guest works on into an error.
func (g *guest) located(e *GuestError) *GuestError {
	e.Module, e.Handler, e.Call, e.Export = g.module.name, g.at.handler, g.at.call, g.at.export
	return e
}

// fail completes an error, and gives up the guest if it can't be called again.
func (g *guest) fail(e *GuestError) *GuestError {
	_ = g.located(e)
	e.Stderr = toUTF8(string(g.stderr))
	if e.fatal() && (g.opened || e.Kind != GuestInterrupted) {
		g.dead = e
	}
	if e.fatal() || !g.opened { // if it isn't dead, a later call begins anew
		_ = g.discard() // the failure that matters is e
	}
	return e
}

// failWith is fail with what compiling, instantiating or calling the guest failed with;
// nil is a trap that isn't known. What the guest has reported itself tells most.
func (g *guest) failWith(err error) *GuestError {
	e := guestErrorOf(err)
	if p := g.panic; p != nil && (e.Kind == GuestTrap || e.Kind == GuestExit) {
		e.Kind = GuestPanic
		e.Message, e.File, e.Line = toUTF8(p.Message), toUTF8(p.File), int(p.Line)
		if p.Stack != "" {
			e.Stack = toUTF8(p.Stack)
		}
	}
	g.account.breach(e)
	if e.Breach == nil && (e.Kind == GuestPanic || e.Kind == GuestTrap) {
		e.Breach = g.blobs.breach()
	}
	return g.fail(e)
}

// guestErrorOf is an error of the engine, of compiling, or of the context as that of a
// guest; nil is a trap that isn't known.
func guestErrorOf(err error) *GuestError {
	e := &GuestError{Kind: GuestTrap, Err: err}
	if trap, ok := errors.AsType[*engine.TrapError](err); ok {
		e.Message, e.Stack = trap.Reason, trap.Stack
	} else if err != nil {
		e.Message = err.Error()
	}
	if exit, ok := errors.AsType[*wasi.ExitError](err); ok {
		e.Kind, e.ExitCode, e.Message = GuestExit, int(exit.Code), ""
	}
	if errors.Is(err, wasi.ErrOutputLimit) {
		e.Kind, e.Message = GuestLimit, "it printed more than the limit"
	}
	if isA[*ModuleError](err) || errors.Is(err, ErrUnmetered) { // the session has limits that the module can't keep to
		e.Kind = GuestLimit
	}
	if errors.Is(err, metered.NoMemory) { // that it had in the session it comes from
		e.Kind = GuestLimit
	}
	if errors.Is(err, engine.ErrClosed) {
		e.Kind, e.Message, e.Err = GuestDead, "", errors.Join(ErrRuntimeClosed, err)
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Message = GuestInterrupted, "its time was over"
	case errors.Is(err, context.Canceled):
		e.Kind, e.Message = GuestInterrupted, "the call was canceled"
	}
	return e
}

// refusal is the error of a guest that says itself that it can't answer. A handler that failed after
// it was refused bytes of blobs went over their limit, whatever words its language has.
func (g *guest) refusal(e *abi.GuestError) *GuestError {
	if breach := g.blobs.breach(); breach != nil && e.Kind == abi.GuestHandlerFailed {
		return g.fail(&GuestError{Kind: GuestLimit, Message: e.Message + ": " + breach.String(), Breach: breach})
	}
	kind := GuestRefused
	switch e.Kind {
	case abi.GuestHandlerFailed:
		kind = GuestFailed
	case abi.GuestBadConfig:
		kind = GuestBadConfig
	}
	return g.fail(&GuestError{Kind: kind, Message: e.Message})
}

func minorVersionText(minor uint32) string {
	return fmt.Sprintf("it needs version %d.%d, this host has %d.%d",
		abi.VersionMajor, minor, abi.VersionMajor, abi.VersionMinor)
}

func toUTF8(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }
