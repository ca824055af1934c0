package conformance

import (
	"errors"
	"path"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// failureFeatures are how guests fail, and their use of the other imports.
func failureFeatures() []feature {
	return []feature{
		{"handler_errors", "a handler's own error is told, and the guest lives on", checkHandlerErrors, false},
		{"panics", "a panic is reported with message, file and line", checkPanics, false},
		{"extension", "an extension that the host doesn't have is answered", checkExtension, false},
	}
}

func checkHandlerErrors(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	for range 2 {
		answer, err := s.respond("broken", &abi.ExecRequest{})
		s.guestError("broken", answer, err, abi.GuestHandlerFailed, "it's broken")
		answer, err = s.match("broken", &abi.ExecRequest{})
		s.guestError("broken matcher", answer, err, abi.GuestHandlerFailed, "it's broken")
	}
	answer, err := s.respond("count", &abi.ExecRequest{})
	s.reply("count after that", answer, err, outcome(abi.Outcome{Exec: &abi.ExecResult{ExitCode: 1}}))
}

func checkPanics(t *tester) {
	for _, kind := range []abi.HandlerKind{abi.HandlerRespond, abi.HandlerMatch} {
		s := t.open(setup{})
		if s == nil {
			return
		}
		_, err := s.ask(kind, "panic", s.message(&abi.ExecRequest{}), nil)
		failure, ok := errors.AsType[*host.GuestError](err)
		if !s.check(ok && failure.Kind == host.GuestPanic, "%s panic: got %v, want a panic", kind, err) {
			continue
		}
		s.digest.add([]byte(failure.Message))
		s.check(failure.Message == "deliberate panic", "%s panic: the message is %q", kind, failure.Message)
		s.check(path.Ext(failure.File) != "", "%s panic: the file is %q", kind, failure.File)
		s.check(failure.Line > 0, "%s panic: there is no line", kind)
		_, err = s.respond("count", &abi.ExecRequest{})
		s.check(errors.Is(err, host.GuestDead), "a call after the panic: %v", err)
	}
}

func checkExtension(t *tester) {
	s := t.open(setup{})
	if s == nil {
		return
	}
	answer, err := s.respond("extension", &abi.ExecRequest{})
	s.reply("extension", answer, err, stdout(itoa(int(abi.StatusUnsupported))))
}
