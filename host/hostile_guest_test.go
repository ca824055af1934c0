package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// The guests in testdata/hostile do what no honest guest does, each one thing; the
// tables of the files hostile_*_test.go say what becomes of each.

// A fate is what a guest is after it has failed.
type fate int

const (
	dies  fate = iota // nothing more is asked of it in its session
	lives             // it is asked again
	anew              // it was never opened, and another instance is made for the next call
)

// A hostileCase is a guest that fails while it works for a call.
type hostileCase struct {
	guest   string // its name in testdata/hostile
	kind    host.GuestErrorKind
	export  string // where it fails; "": in respond, or match in a table of matchers
	text    string // part of the message
	fate    fate
	endless bool   // it ends with its context only
	second  bool   // it fails in its second call, whose message is longer
	needs   string // the limits that end it
}

// within is the case with the limits that it needs. The first of them ends it.
func (c hostileCase) within() (hostileCase, host.Limits) {
	c.endless, c.fate = false, dies
	c.kind, c.text = limitKind(c.needs)
	return c, neededLimits(c.needs)
}

// limitKind is the error of a guest that goes over a limit, and a part of its message.
func limitKind(needs string) (kind host.GuestErrorKind, text string) {
	if strings.HasPrefix(needs, "fuel") {
		return host.GuestOutOfFuel, "the call used "
	}
	if needs == "table" {
		return host.GuestOutOfMemory, "a table of 1001 entries, and may have 1000"
	}
	return host.GuestOutOfMemory, "may have 1048576"
}

// neededLimits are limits that an honest guest keeps to.
func neededLimits(needs string) (l host.Limits) {
	for _, limit := range strings.Split(needs, ", ") {
		switch limit {
		case "fuel":
			l.CallFuel = 300_000
		case "memory":
			l.MemoryBytes = 1 << 20
		case "table":
			l.TableEntries = 1000
		}
	}
	return l
}

// hostileWasm reads a module of testdata/hostile.
func hostileWasm(tb testing.TB, guest string) []byte {
	tb.Helper()
	wasm, err := os.ReadFile(filepath.Join("../testdata/hostile", guest+".wasm"))
	if err != nil {
		tb.Fatal(err)
	}
	return wasm
}

// A hostileWorld is a runtime that hostile guests share with an honest one.
type hostileWorld struct {
	*host.Runtime
	engine *countingEngine
	limits host.Limits // of the sessions
}

func newHostileWorld(t *testing.T) *hostileWorld {
	t.Helper()
	t.Setenv(host.CacheEnv, "off")
	runtime, counter := newCountingRuntime(t)
	return &hostileWorld{Runtime: runtime, engine: counter}
}

// handlers loads a guest, and gives its matcher and its responder.
func (w *hostileWorld) handlers(t *testing.T, guest string) (host.Matcher, host.Responder) {
	t.Helper()
	module, err := w.Load(t.Context(), guest, hostileWasm(t, guest))
	if err != nil {
		t.Fatal(err)
	}
	m, err := module.Matcher("m")
	if err != nil {
		t.Fatal(err)
	}
	r, err := module.Responder("r")
	if err != nil {
		t.Fatal(err)
	}
	return m, r
}

// session makes a session that is long after the one in which guests are described.
func (w *hostileWorld) session(t *testing.T, steps ...host.Step) *host.Scripted {
	t.Helper()
	limits := w.limits
	limits.LogBytes, limits.BlobBytes = 64<<10, 16<<20
	s, err := host.NewScripted(steps,
		host.WithStartTime(time.Date(2030, time.January, 1, 0, 0, 0, 0, time.UTC)), host.WithLimits(limits))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = s.Close(ctx)
	})
	return s
}

// checkOpen wants as many instances to be open, besides those that are kept for sessions
// to come.
func (w *hostileWorld) checkOpen(t *testing.T, want int64) {
	t.Helper()
	w.DropIdle()
	if n := w.engine.open.Load(); n != want {
		t.Errorf("%d instances are open, want %d", n, want)
	}
}

// checkHonest wants an honest guest of the same runtime to answer as ever.
func (w *hostileWorld) checkHonest(t *testing.T) {
	t.Helper()
	w.checkHarmless(t, "honest", host.ExecRequest{Command: []string{"x"}})
}

// checkHarmless wants a guest to match, answer and close.
func (w *hostileWorld) checkHarmless(t *testing.T, guest string, requests ...host.ExecRequest) {
	t.Helper()
	m, r := w.handlers(t, guest)
	w.checkOpen(t, 0)
	steps := make([]host.Step, len(requests))
	for i := range steps {
		steps[i] = host.Step{Method: host.MethodExec, Match: m, Outcome: host.Respond(r)}
	}
	s := w.session(t, steps...)
	for i, request := range requests {
		result, err := s.Exec(t.Context(), request)
		if err != nil || string(result.Stdout) != "fine" {
			t.Errorf("%s answers call %d with %q, %v", guest, i, result.Stdout, err)
		}
	}
	if err := errors.Join(s.AssertComplete(), s.Close(t.Context())); err != nil {
		t.Errorf("%s: %v", guest, err)
	}
	w.checkOpen(t, 0)
}

// A countdown is a context whose deadline is reached when it has been looked at so
// often that a guest must be at work: however slow the machine is, it is in the function
// that is endless.
type countdown struct {
	context.Context
	looks atomic.Int64
	done  chan struct{}
	end   func()
}

func newCountdown(ctx context.Context) *countdown {
	c := &countdown{Context: ctx, done: make(chan struct{})}
	c.end = sync.OnceFunc(func() { close(c.done) })
	return c
}

func (c *countdown) Done() <-chan struct{} { return c.done }

func (c *countdown) Err() error {
	if c.looks.Add(1) <= 25 {
		return nil
	}
	c.end()
	return context.DeadlineExceeded
}

// inTime runs what has to end by itself, or with its context. The bound is that of a
// machine with much else to do.
func inTime(t *testing.T, run func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		run()
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Minute):
		t.Fatal("it hangs")
	}
}

// exec makes the call in which the guest fails, and checks the error.
func (c *hostileCase) exec(t *testing.T, s *host.Scripted, handler, export string, index int) {
	t.Helper()
	request := host.ExecRequest{Command: []string{"x"}}
	if c.second {
		request.Command[0] = strings.Repeat("x", 5000)
	}
	ctx := t.Context()
	if c.endless {
		ctx = newCountdown(ctx)
	}
	var err error
	inTime(t, func() { _, err = s.Exec(ctx, request) })
	e := wantGuestError(t, err, c.kind)
	if c.export != "" {
		export = c.export
	}
	if e.Module != c.guest || e.Handler != handler || e.Call != index || e.Export != export {
		t.Errorf("it fails at %q, %q, call %d, export %q, want export %q", e.Module, e.Handler, e.Call, e.Export, export)
	}
	if !strings.Contains(e.Message, c.text) {
		t.Errorf("message %q, want it to have %q", e.Message, c.text)
	}
	if c.endless != errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

// execAgain makes the call after that, and checks what became of the guest.
func (c *hostileCase) execAgain(t *testing.T, w *hostileWorld, s *host.Scripted, handler, export string, index int) {
	t.Helper()
	open := int64(0)
	if c.fate == lives {
		open = 1
	}
	w.checkOpen(t, open)
	if c.fate != dies {
		c.exec(t, s, handler, export, index)
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // in case that it isn't dead, and endless
	defer cancel()
	_, err := s.Exec(ctx, host.ExecRequest{})
	if dead := wantGuestError(t, err, host.GuestDead); !errors.Is(dead, c.kind) {
		t.Errorf("the first failure isn't behind %v", err)
	}
}

// open makes the session, and makes the first call if the guest only fails after it;
// else there is no such step.
func (c *hostileCase) open(t *testing.T, w *hostileWorld, first host.Step, rest ...host.Step) (s *host.Scripted, index int) {
	t.Helper()
	if !c.second {
		return w.session(t, rest...), 0
	}
	s = w.session(t, append([]host.Step{first}, rest...)...)
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Fatal(err)
	}
	return s, 1
}

// respond has the guest respond in a session of its own.
func (c *hostileCase) respond(t *testing.T, w *hostileWorld) {
	t.Helper()
	m, r := w.handlers(t, c.guest)
	_, honest := w.handlers(t, "honest")
	hostile := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	s, index := c.open(t, w,
		host.Step{Method: host.MethodExec, Match: m, Outcome: host.Return(host.ExecResult{})},
		hostile, hostile, host.Step{Method: host.MethodExec, Outcome: host.Respond(honest)})
	c.exec(t, s, "r", abi.ExportRespond, index)
	if n := s.RemainingSteps(); n != 2 { // S10.3: a responder's step is consumed
		t.Errorf("%d steps remain, want 2", n)
	}
	c.execAgain(t, w, s, "r", abi.ExportRespond, index+1)
	if result, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil || string(result.Stdout) != "fine" {
		t.Errorf("an honest guest in the same session answers %q, %v", result.Stdout, err)
	}
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("Close: %v", err)
	}
	w.checkOpen(t, 0)
}

// match has the guest match in a session of its own.
func (c *hostileCase) match(t *testing.T, w *hostileWorld) {
	t.Helper()
	m, r := w.handlers(t, c.guest)
	s, index := c.open(t, w,
		host.Step{Method: host.MethodExec, Outcome: host.Respond(r)},
		host.Step{Method: host.MethodExec, Match: m, Outcome: host.Return(host.ExecResult{})})
	for again := range 2 {
		if again == 0 {
			c.exec(t, s, "m", abi.ExportMatch, index)
		} else {
			c.execAgain(t, w, s, "m", abi.ExportMatch, index+1)
		}
		if n := s.RemainingSteps(); n != 1 { // S10.3: a matcher's step stays
			t.Errorf("%d steps remain, want 1", n)
		}
	}
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("Close: %v", err)
	}
	w.checkOpen(t, 0)
}

// runHostile runs each case in two sessions, one after the other, which must not
// differ. The honest guest after it is in another session of the same runtime.
func runHostile(t *testing.T, cases []hostileCase, run func(*hostileCase, *testing.T, *hostileWorld)) {
	w := newHostileWorld(t)
	for _, c := range cases {
		t.Run(c.guest, func(t *testing.T) {
			run(&c, t, w)
			if !testing.Short() {
				run(&c, t, w)
			}
			if c.needs != "" {
				limited, limits := c.within()
				w.limits = limits
				defer func() { w.limits = host.Limits{} }()
				run(&limited, t, w)
			}
			w.checkHonest(t)
		})
	}
}
