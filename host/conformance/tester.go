package conformance

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// A tester runs the checks of one feature and collects what is wrong.
type tester struct {
	ctx      context.Context
	module   *host.Module
	checks   int
	problems []string
	digest   digest
	sessions []*session
}

// digest is a hash that needs no making.
type digest struct{ hash hash.Hash }

func (d *digest) add(data []byte) {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	fmt.Fprintf(d.hash, "%d:", len(data))
	d.hash.Write(data)
}

// Sum is the digest of what was added.
func (d *digest) Sum(dst []byte) []byte {
	if d.hash == nil {
		d.hash = sha256.New()
	}
	return d.hash.Sum(dst)
}

// maxProblems bounds what is kept for a feature.
const maxProblems = 20

// check counts a check, and keeps what is wrong unless ok.
func (t *tester) check(ok bool, format string, args ...any) bool {
	t.checks++
	if !ok && len(t.problems) < maxProblems {
		t.problems = append(t.problems, fmt.Sprintf(format, args...))
	}
	return ok
}

func (t *tester) closeAll() {
	for _, s := range t.sessions {
		if err := s.probe.Close(); err != nil {
			t.check(false, "closing the instance: %v", err)
		}
	}
	t.sessions = nil
}

// A session is one open instance of the guest.
type session struct {
	*tester
	probe       *host.Probe
	description host.Description
	limits      host.Limits
	index       uint64 // of the next call
}

// setup is how a session is opened. The zero value has the defaults.
type setup struct {
	config []abi.Entry
	limits host.Limits
	open   []byte // instead of the message that goes with the rest
}

// The seed and start that sessions are opened with.
const (
	seed      = 18446744073709551557
	startTime = 1_700_000_000_000_000_000
)

// Limits that sessions are opened with unless a test needs others.
func defaultLimits() host.Limits {
	return host.Limits{InlineBytes: abi.InlineBytes, ReplyBytes: 16 << 20, LogBytes: 1 << 20, BlobBytes: 256 << 20}
}

// instance makes an instance that isn't opened, or nil.
func (t *tester) instance(limits host.Limits) *session {
	probe, err := t.module.Probe(t.ctx, host.WithLimits(limits), host.WithSeed(seed))
	if !t.check(err == nil, "making an instance: %v", err) {
		return nil
	}
	s := &session{tester: t, probe: probe, description: t.module.Description(), limits: limits}
	t.sessions = append(t.sessions, s)
	return s
}

// open makes an instance and opens it, or gives nil.
func (t *tester) open(with setup) *session {
	if with.limits == (host.Limits{}) {
		with.limits = defaultLimits()
	}
	s := t.instance(with.limits)
	if s == nil {
		return nil
	}
	message := with.open
	if message == nil {
		message = openMessage(with)
	}
	answer, err := s.probe.Open(t.ctx, message)
	if !s.reply("open", answer, err, &abi.Reply{Done: true}) {
		return nil
	}
	return s
}

func openMessage(with setup) []byte {
	message := abi.Open{Config: with.config, Seed: seed, StartTimeNS: startTime, Limits: abi.Limits{
		InlineBytes: uint64(with.limits.InlineBytes), ReplyBytes: uint64(with.limits.ReplyBytes),
		LogBytes: uint64(with.limits.LogBytes), BlobBytes: uint64(with.limits.BlobBytes),
	}}
	return message.Append(nil)
}

// respond asks a responder, and gives what it did.
func (s *session) respond(name string, request abi.Request, blobs ...[]byte) (*host.ProbeResult, error) {
	return s.ask(abi.HandlerRespond, name, s.message(request), blobs)
}

// match asks a matcher, as respond does a responder.
func (s *session) match(name string, request abi.Request, blobs ...[]byte) (*host.ProbeResult, error) {
	return s.ask(abi.HandlerMatch, name, s.message(request), blobs)
}

func (s *session) message(request abi.Request) []byte {
	call := abi.Call{Index: s.index, TimeNS: startTime + int64(s.index)*1_000_000_000, Request: request}
	s.index++
	return call.Append(nil)
}

func (s *session) ask(kind abi.HandlerKind, name string, message []byte, blobs [][]byte) (*host.ProbeResult, error) {
	h, ok := handler(&s.description, kind, name)
	if !ok {
		return &host.ProbeResult{}, fmt.Errorf("the guest has no %s %s", kind, name)
	}
	if kind == abi.HandlerMatch {
		return s.probe.Match(s.ctx, h.ID, message, blobs...)
	}
	return s.probe.Respond(s.ctx, h.ID, message, blobs...)
}

// reply checks that the guest answered with a message, byte for byte. Blobs
// count by their content.
func (s *session) reply(what string, answer *host.ProbeResult, err error, want *abi.Reply) bool {
	have, ok := s.decode(what, answer, err)
	if !ok {
		return false
	}
	expected := want.Append(nil)
	s.observe(answer, have)
	return s.check(bytes.Equal(have.Append(nil), expected), "%s: got %s, want %s", what, text(have), text(want))
}

// observe keeps all that a guest did in a call, for the comparison with others: also
// what no check asks for, as which content travels as a blob, and what is logged.
func (s *session) observe(answer *host.ProbeResult, resolved *abi.Reply) {
	s.digest.add(answer.Reply)
	s.digest.add(resolved.Append(nil))
	for _, entry := range answer.Logs {
		s.digest.add(fmt.Appendf(nil, "%d %d %s", entry.Source, entry.Level, entry.Text))
	}
}

// decode reads a reply, checks that it is encoded as writers must, and puts the
// content of blobs in their place.
func (s *session) decode(what string, answer *host.ProbeResult, err error) (*abi.Reply, bool) {
	if !s.check(err == nil, "%s: %v", what, err) {
		return nil, false
	}
	reply := new(abi.Reply)
	err = reply.Unmarshal(answer.Reply)
	if !s.check(err == nil, "%s: the reply can't be decoded: %v", what, err) {
		return nil, false
	}
	s.check(bytes.Equal(reply.Append(nil), answer.Reply), "%s: the reply isn't encoded as writers must: %x", what, clip(answer.Reply))
	for _, content := range contents(reply) {
		s.resolve(what, answer, content)
	}
	return reply, true
}

// contents are the places in a reply where content is.
func contents(reply *abi.Reply) []*abi.Content {
	if reply.Outcome == nil {
		return nil
	}
	switch o := reply.Outcome; {
	case o.Exec != nil:
		return []*abi.Content{&o.Exec.Stdout, &o.Exec.Stderr}
	case o.Stream != nil:
		return []*abi.Content{&o.Stream.Content}
	case o.PTY != nil:
		return []*abi.Content{&o.PTY.Output}
	default:
		return nil
	}
}

// resolve replaces a blob by its content.
func (s *session) resolve(what string, answer *host.ProbeResult, content *abi.Content) {
	if content.Blob == nil {
		s.check(len(content.Inline) <= s.limits.InlineBytes,
			"%s: %d bytes inline, where %d is the limit", what, len(content.Inline), s.limits.InlineBytes)
		return
	}
	blob := content.Blob
	data, ok := answer.Blob(blob.Handle)
	if !s.check(ok, "%s: the reply refers to blob %d, which doesn't exist", what, blob.Handle) {
		return
	}
	sum := sha256.Sum256(data)
	s.check(blob.Size == uint64(len(data)), "%s: the reply gives a blob of %d bytes the size %d", what, len(data), blob.Size)
	s.check(len(blob.SHA256) == 0 || bytes.Equal(blob.SHA256, sum[:]), "%s: the reply gives a blob a wrong digest", what)
	*content = abi.Content{Inline: data}
}

// guestError checks that the guest said that it can't answer. An empty message
// stands for any.
func (s *session) guestError(what string, answer *host.ProbeResult, err error, kind abi.GuestErrorKind, message string) {
	reply, ok := s.decode(what, answer, err)
	if !ok {
		return
	}
	if !s.check(reply.Error != nil, "%s: got %s, want a guest error", what, text(reply)) {
		return
	}
	s.digest.add(fmt.Appendf(nil, "%d", reply.Error.Kind)) // the message of an SDK is its own
	s.check(reply.Error.Kind == kind, "%s: the guest error is %s, want kind %d", what, text(reply), kind)
	if message != "" {
		s.check(reply.Error.Message == message, "%s: the guest error says %q, want %q", what, reply.Error.Message, message)
	}
}

// tooLong checks that the guest answered with a reply of so many bytes, and that the
// host doesn't take them.
func (s *session) tooLong(what string, err error, bytes int) {
	want := host.Breach{Limit: host.LimitReply, Reached: int64(bytes), Allowed: int64(s.limits.ReplyBytes)}
	failed, ok := errors.AsType[*host.GuestError](err)
	if !s.check(ok && failed.Breach != nil, "%s: got %v, want a reply of %d bytes, which the host refuses", what, err, bytes) {
		return
	}
	s.check(*failed.Breach == want, "%s: the limit that was gone over is %s, want %s", what, failed.Breach, &want)
	s.digest.add([]byte(failed.Breach.String()))
}

// outcome is a reply with an outcome.
func outcome(o abi.Outcome) *abi.Reply { return &abi.Reply{Outcome: &o} }

// stdout is a reply to exec with nothing but standard output.
func stdout(text string) *abi.Reply {
	return outcome(abi.Outcome{Exec: &abi.ExecResult{Stdout: inline(text)}})
}

func inline(text string) abi.Content { return abi.Content{Inline: []byte(text)} }

// logged checks the log of a call, entry by entry.
func (s *session) logged(what string, answer *host.ProbeResult, want ...logLine) {
	var have []logLine
	for _, entry := range answer.Logs {
		if entry.Source == host.SourceLog {
			have = append(have, logLine{entry.Level, entry.Text})
		}
	}
	s.digest.add(fmt.Appendf(nil, "%+v", have))
	s.check(slices.Equal(have, want), "%s: the log is %.300s, want %.300s", what, fmt.Sprintf("%+v", have), fmt.Sprintf("%+v", want))
}

type logLine struct {
	level abi.LogLevel
	text  string
}

// text is a message for people.
func text(message *abi.Reply) string {
	data, err := json.Marshal(message)
	if err != nil {
		return err.Error()
	}
	return string(clip(data))
}

func clip(data []byte) []byte {
	const most = 300
	if len(data) <= most {
		return data
	}
	return append(data[:most:most], "…"...)
}
