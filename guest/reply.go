package guest

import (
	"errors"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// encode writes a reply to the output buffer. That it is longer than the host takes
// is for the host to say, which sees the length.
func (m *module) encode(r *abi.Reply) []byte {
	m.output = r.Append(m.output[:0])
	return m.output
}

// refuse is the reply of a guest that can't answer.
func (m *module) refuse(kind abi.GuestErrorKind, message string) []byte {
	return m.encode(&abi.Reply{Error: &abi.GuestError{Kind: kind, Message: message}})
}

// set makes the outcome what a handler of the method returned. It fails with an
// error that is no sandbox error.
func (out *outcome) set(method Method, result Result, err error) error {
	*out = outcome{}
	if err != nil {
		e, ok := sandboxError(err)
		if !ok {
			return err
		}
		if e.Code == "" {
			return errNoCode
		}
		out.Error = (*abi.SandboxError)(e)
		return abi.CheckEntries(e.Context)
	}
	if result == nil && method.Void() {
		result = Void{}
	}
	if result == nil {
		return errNoResult
	}
	if err := result.outcome(out); err != nil {
		return err
	}
	if !out.Fits(method) {
		return errors.New("the handler returned " + out.Kind().String() + ", " + method.String() + " wants " + method.OutcomeKind().String())
	}
	return nil
}
