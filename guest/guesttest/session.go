// Package guesttest calls the handlers of a guest within go test, as a host would:
// through the guest's dispatch, with encoded messages, blobs and logs. No
// WebAssembly is involved.
//
//	func TestStatus(t *testing.T) {
//		s := guesttest.Open(t, guesttest.Config{"branch": "trunk"})
//		res, err := s.Exec("status", &guest.ExecRequest{Command: []string{"git", "status"}})
//		…
//	}
//
// Handlers and their state are package variables of the guest: only one session
// can be open at a time, and what one test changes the next one sees, unless
// guest.OnOpen sets it up afresh.
package guesttest

import (
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/guest"
	"github.com/wasmsandbox/wasmsandbox/guest/internal/native"
)

// startTime is the virtual time of the first call: the start of the year 2000.
const startTime = 946684800_000_000_000

// stepTime is the virtual time between two calls.
const stepTime = 1_000_000_000

// Config is the configuration of a session. The values are those that
// SandboxError.With takes.
type Config map[string]any

// A Log is one line that the guest has logged.
type Log struct {
	Level   guest.LogLevel
	Message string
}

// A Session is a host that talks to the guest of this test binary. It is not safe
// for concurrent use.
type Session struct {
	t        testing.TB
	handlers []abi.Handler
	index    uint64
	closed   bool
	host     host
}

// opened is held by the open session.
var opened sync.Mutex

// Open opens a session, which is closed when the test ends. The configuration may
// be nil. It fails the test when the guest refuses the configuration, or when
// another session is open.
func Open(t testing.TB, config Config) *Session {
	t.Helper()
	s := start(t)
	if err := s.open(config); err != nil {
		t.Fatalf("guesttest: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("guesttest: %v", err)
		}
	})
	return s
}

// OpenError is what opening a session with the configuration fails with, or nil.
func OpenError(t testing.TB, config Config) error {
	t.Helper()
	s := start(t)
	return s.open(config)
}

// start connects to the guest until the test ends.
func start(t testing.TB) *Session {
	t.Helper()
	if !opened.TryLock() {
		t.Fatal("guesttest: a session is open already; handlers are package variables, so run one test after the other")
	}
	s := &Session{t: t}
	native.Host = &s.host
	t.Cleanup(func() {
		native.Host = native.Absent{}
		opened.Unlock()
	})
	return s
}

func (s *Session) open(config Config) error {
	reply, err := s.call(native.Guest.Describe)
	if err != nil {
		return err
	}
	s.handlers = reply.Description.Handlers
	entries := guest.NewError("")
	for key, value := range config {
		entries = entries.With(key, value) // sorts, and makes them values
	}
	if err := abi.CheckEntries(entries.Context); err != nil {
		return err
	}
	open := abi.Open{Config: entries.Context, StartTimeNS: startTime, Limits: limits}
	_, err = s.call(func() []byte { return native.Guest.Open(open.Append(nil)) })
	return err
}

// Close has the guest's OnClose hooks run, unless it has panicked. It is
// idempotent.
func (s *Session) Close() error {
	if s.closed || s.host.panicked != nil {
		return nil
	}
	s.closed = true
	_, err := s.call(native.Guest.Close)
	return err
}

// Describe is what the guest tells about itself.
func (s *Session) Describe() (*abi.Description, error) {
	reply, err := s.call(native.Guest.Describe)
	if err != nil {
		return nil, err
	}
	return reply.Description, nil
}

// Logs are all lines logged so far. The caller owns the slice.
func (s *Session) Logs() []Log { return slices.Clone(s.host.logs) }

// Match asks a matcher about a call.
func (s *Session) Match(name string, req guest.Request) (*abi.Verdict, error) {
	s.t.Helper()
	id := s.find(abi.HandlerMatch, name)
	data := s.encode(req)
	reply, err := s.call(func() []byte { return native.Guest.Match(id, data) })
	if err != nil {
		return nil, err
	}
	return reply.Verdict, nil
}

// Respond has a responder answer a call. Content of the outcome is inline, however
// large. The methods of the session named as those of a sandbox are easier to use.
//
// It fails with a *guest.SandboxError that the handler returned, with a
// *GuestError when the handler could not answer, with a *ReplyLimitError, and with
// a *PanicError.
func (s *Session) Respond(name string, req guest.Request) (*abi.Outcome, error) {
	s.t.Helper()
	id := s.find(abi.HandlerRespond, name)
	data := s.encode(req)
	s.index++
	reply, err := s.call(func() []byte { return native.Guest.Respond(id, data) })
	if err != nil {
		return nil, err
	}
	out := reply.Outcome
	if out.Error != nil {
		return nil, (*guest.SandboxError)(out.Error)
	}
	return out, s.host.inlineOutcome(out)
}

func (s *Session) find(kind abi.HandlerKind, name string) uint32 {
	s.t.Helper()
	for _, h := range s.handlers {
		if h.Kind == kind && h.Name == name {
			return h.ID
		}
	}
	s.t.Fatalf("guesttest: no %s is called %q", kind, name)
	return 0
}

// encode makes a message of the next call, and a blob of large content.
func (s *Session) encode(req guest.Request) []byte {
	s.t.Helper()
	s.host.blobs = nil
	if v := reflect.ValueOf(req); req == nil || v.Kind() == reflect.Pointer && v.IsNil() {
		s.t.Fatalf("guesttest: the request is nil (%T); for defaults alone give an empty one", req)
	}
	call := abi.Call{Index: s.index, TimeNS: startTime + int64(s.index)*stepTime}
	switch req := req.(type) {
	case *guest.WriteRequest:
		content, err := req.Data.Content.ReadAll()
		if err != nil {
			s.t.Fatalf("guesttest: the data to write: %v", err)
		}
		call.Request = &abi.WriteRequest{Path: req.Path, User: req.User, Data: abi.Stream{
			Content: s.host.content(content), Position: req.Data.Position, Text: req.Data.Text,
		}}
	case abi.Request:
		call.Request = req
	default:
		s.t.Fatalf("guesttest: a request of the unknown type %T", req)
	}
	return call.Append(nil)
}
