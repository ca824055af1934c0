package guesttest

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A GuestError says that a guest could not answer: its handler returned an error
// of its own, or doesn't serve the method, or the configuration isn't usable.
type GuestError struct {
	Kind    abi.GuestErrorKind
	Message string
}

func (e *GuestError) Error() string {
	return fmt.Sprintf("the guest could not answer: %s: %s", reason(e.Kind), e.Message)
}

// reason is a kind in words.
func reason(kind abi.GuestErrorKind) string {
	switch kind {
	case abi.GuestHandlerFailed:
		return "the handler failed"
	case abi.GuestUnknownHandler:
		return "there is no such handler"
	case abi.GuestBadMessage:
		return "the message can't be decoded"
	case abi.GuestBadConfig:
		return "the configuration isn't usable"
	case abi.GuestUnsupportedMethod:
		return "the handler doesn't serve the method"
	default:
		return fmt.Sprintf("kind %d", kind)
	}
}

// A ReplyLimitError says that a guest's reply is longer than a host takes.
type ReplyLimitError struct {
	Size  uint64 // of the reply, in bytes
	Limit uint64 // in bytes
}

func (e *ReplyLimitError) Error() string {
	return fmt.Sprintf("the reply has %d bytes, the host takes %d", e.Size, e.Limit)
}

// A PanicError says that a handler has panicked, which would have ended the guest.
type PanicError struct {
	abi.Panic
}

func (e *PanicError) Error() string {
	return fmt.Sprintf("the guest panicked at %s:%d: %s", e.File, e.Line, e.Message)
}

var errPanicked = errors.New("the guest has panicked in an earlier call")

// call calls an export, and decodes its reply. It returns an error that isn't a
// sandbox error as one of the types above.
func (s *Session) call(export func() []byte) (reply *abi.Reply, err error) {
	if s.host.panicked != nil {
		return nil, errPanicked
	}
	s.host.begin()
	defer func() {
		if s.host.panicked == nil {
			return // also when the handler ended its goroutine, as t.FailNow does
		}
		if recover() != nil {
			err = &PanicError{Panic: *s.host.panicked}
		}
	}()
	view := export()
	if size := uint64(len(view)); size > limits.ReplyBytes {
		return nil, &ReplyLimitError{Size: size, Limit: limits.ReplyBytes}
	}
	reply = new(abi.Reply)
	if err := reply.Unmarshal(bytes.Clone(view)); err != nil {
		return nil, err
	}
	if reply.Error != nil {
		return nil, &GuestError{Kind: reply.Error.Kind, Message: reply.Error.Message}
	}
	return reply, nil
}
