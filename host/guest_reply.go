package host

import (
	"bytes"
	"context"
	"errors"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// mostOutput is how many bytes of results are allocated at once: who keeps a short
// one keeps no more than these.
const mostOutput = 512

// A wrongReply says what is wrong with a reply that can be decoded.
type wrongReply string

func (w wrongReply) Error() string { return string(w) }

// resultIn puts the result of a call of the method that an encoded reply holds where
// it has to go. The reply may change when it returns.
func (g *guest) resultIn(ctx context.Context, view []byte, method Method, result *callResult) error {
	if method == MethodExec {
		if stdout, ok := shortStdout(view); ok && len(stdout) <= g.limits.InlineBytes {
			result.exec.Stdout = g.output.clone(stdout, mostOutput)
			return nil
		}
	}
	reply, err := g.decode(view)
	if err != nil {
		return err
	}
	if reply.Outcome == nil {
		return g.fail(&GuestError{Kind: GuestBadReply, Message: "it isn't an outcome"})
	}
	err = g.outcomeResult(ctx, method, reply.Outcome, result)
	if wrong, is := errors.AsType[wrongReply](err); is {
		return g.fail(&GuestError{Kind: GuestBadReply, Message: wrong.Error()})
	}
	return err
}

// verdictIn is the verdict that an encoded reply holds. The reply may change when it
// returns.
func (g *guest) verdictIn(view []byte) (Verdict, error) {
	reply, err := g.decode(view)
	switch {
	case err != nil:
		return Verdict{}, err
	case reply.Verdict == nil:
		return Verdict{}, g.fail(&GuestError{Kind: GuestBadReply, Message: "it isn't a verdict"})
	default:
		return *reply.Verdict, nil
	}
}

// decode decodes a copy of a reply. It lasts until the next one; its bytes and texts
// may be kept.
func (g *guest) decode(view []byte) (*abi.Reply, error) {
	reply, err := g.decoder.Decode(bytes.Clone(view))
	if err != nil {
		return nil, g.fail(&GuestError{Kind: GuestBadReply, Err: err, Message: err.Error()})
	}
	if reply.Error != nil {
		return nil, g.refusal(reply.Error)
	}
	return reply, nil
}

// shortStdout is the standard output in a reply that has nothing else, which most
// have: an outcome, exec's, of standard output, inline. Each of these four lies in
// the one before it, to its end, so that a length tells nothing new; it has one byte
// below 128. Other ways to encode the same, and all else, are for the decoder.
func shortStdout(reply []byte) (stdout []byte, ok bool) {
	const tags = "\x1a\x12\x0a\x0a"
	if len(reply) < 2*len(tags) || len(reply) >= 2+0x80 {
		return nil, false
	}
	for i := range len(tags) {
		if reply[0] != tags[i] || int(reply[1]) != len(reply)-2 {
			return nil, false
		}
		reply = reply[2:]
	}
	return reply, true
}
