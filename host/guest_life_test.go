package host_test

import (
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

func TestAGuestThatCantBeInterruptedBeforeItOpensMayTryAgain(t *testing.T) {
	attempts := 0
	_, r := fakeHandlers(t, fakeFuncs{abi.ExportOpen: {Run: func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		if attempts++; attempts == 1 {
			return context.DeadlineExceeded
		}
		return replyWith(abi.Reply{Done: true})(ctx, in, stack)
	}}})
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	s := newSession(t, []host.Step{step, step})

	_, err := s.Exec(t.Context(), host.ExecRequest{})
	_ = wantGuestError(t, err, host.GuestInterrupted)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v isn't the context's error", err)
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Errorf("the second call: %v", err)
	}
}

func TestCloseDoesntHangOnAGuestThatWorks(t *testing.T) {
	started, finish := make(chan struct{}), make(chan struct{})
	closed := make(chan struct{})
	_, r := fakeHandlers(t, fakeFuncs{
		abi.ExportRespond: {Run: func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
			close(started)
			<-finish
			return replyWith(execReply("late"))(ctx, in, stack)
		}},
	})
	s, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(closed)
		if _, err := s.Exec(context.Background(), host.ExecRequest{}); err != nil {
			t.Errorf("the call in progress: %v", err)
		}
	}()
	<-started
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	if err := s.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Close = %v", err)
	}
	close(finish)
	<-closed
}

func TestAGuestThatWontCloseIsInterrupted(t *testing.T) {
	_, r := fakeHandlers(t, fakeFuncs{abi.ExportClose: {Run: func(ctx context.Context, _ *enginetest.FakeInstance, _ []uint64) error {
		if _, bounded := ctx.Deadline(); !bounded {
			return errors.New("the context would last for ever")
		}
		return context.DeadlineExceeded // as if it had been reached
	}}})
	s, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
		t.Fatal(err)
	}
	if e := wantGuestError(t, s.Close(context.Background()), host.GuestInterrupted); e.Export != abi.ExportClose || e.Call != -1 {
		t.Errorf("it is in %s, call %d", e.Export, e.Call)
	}
}

// Whatever becomes of an instance, the host closes it.
func TestEveryInstanceIsClosed(t *testing.T) {
	for _, test := range hostileResponders {
		t.Run(test.name, func(t *testing.T) {
			live := 0
			program := fakeGuest(test.exports)
			program.Start = func(context.Context, *enginetest.FakeInstance) error { live++; return nil }
			runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
				func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
					fake := enginetest.NewFake(map[string]enginetest.Program{"fake.wasm": program}, imports...)
					return closeCounter{fake, &live}, nil
				}))
			if err != nil {
				t.Fatal(err)
			}
			module, err := runtime.Load(t.Context(), "fake", []byte("fake.wasm"))
			if err != nil {
				t.Fatal(err)
			}
			r, err := module.Responder("r")
			if err != nil {
				t.Fatal(err)
			}
			step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
			s, err := host.NewScripted([]host.Step{step, step, step})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				_, _ = s.Exec(t.Context(), host.ExecRequest{})
			}
			_ = s.Close(t.Context())
			if live != 0 {
				t.Errorf("%d instances are open", live)
			}
		})
	}
}

// closeCounter counts the instances that are closed, each once.
type closeCounter struct {
	engine.Engine
	live *int
}

func (e closeCounter) Compile(ctx context.Context, wasm []byte) (engine.Module, error) {
	m, err := e.Engine.Compile(ctx, wasm)
	return countedModule{m, e.live}, err
}

type countedModule struct {
	engine.Module
	live *int
}

func (m countedModule) Instantiate(ctx context.Context, data any) (engine.Instance, error) {
	inst, err := m.Module.Instantiate(ctx, data)
	if err != nil {
		return nil, err
	}
	return &countedInstance{Instance: inst, live: m.live}, nil
}

type countedInstance struct {
	engine.Instance
	live   *int
	closed bool
}

func (i *countedInstance) Close(ctx context.Context) error {
	if !i.closed {
		i.closed = true
		*i.live--
	}
	return i.Instance.Close(ctx)
}

func TestAPanicReportedByTheStartFunctionEndsTheGuest(t *testing.T) {
	program := fakeGuest(nil)
	program.Start = func(ctx context.Context, in *enginetest.FakeInstance) error {
		reportPanic(ctx, in, "no config")
		return nil
	}
	_, err := loadFake(t, program)
	if e := wantModuleError(t, err, host.ModuleBadDescription); !strings.Contains(e.Error(), "no config") {
		t.Errorf("error %v", e)
	}
}

// Calls that wait for a guest when its session is closed don't reach it.
func TestCallsThatWaitForAGuestEndWithTheSession(t *testing.T) {
	started, finish := make(chan struct{}), make(chan struct{})
	served := 0
	_, r := fakeHandlers(t, respondWith(func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		if served++; served == 1 {
			close(started)
			<-finish
		}
		return replyWith(execReply(""))(ctx, in, stack)
	}))
	step := host.Step{Method: host.MethodExec, Outcome: host.Respond(r)}
	s, err := host.NewScripted([]host.Step{step, step, step})
	if err != nil {
		t.Fatal(err)
	}
	errs := make(chan error, 3)
	call := func() {
		_, err := s.Exec(context.Background(), host.ExecRequest{})
		errs <- err
	}
	go call()
	<-started
	go call()
	go call()
	for s.RemainingSteps() > 0 { // until both wait for the guest, or are about to look for it
		time.Sleep(time.Millisecond)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Millisecond)
	defer cancel()
	_ = s.Close(ctx)
	close(finish)
	closed := 0
	for range 3 {
		if err := <-errs; errors.Is(err, host.ErrClosed) {
			closed++
		}
	}
	if closed != 2 || served != 1 {
		t.Errorf("%d calls found the session closed, %d reached the guest", closed, served)
	}
}

func TestAClosedRuntimeIsNotTheGuestsFault(t *testing.T) {
	runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return enginetest.NewFake(map[string]enginetest.Program{"fake.wasm": fakeGuest(nil)}, imports...), nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	module, err := runtime.Load(t.Context(), "fake", []byte("fake.wasm"))
	if err != nil {
		t.Fatal(err)
	}
	r, err := module.Responder("r")
	if err != nil {
		t.Fatal(err)
	}
	s := newSession(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if err := runtime.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Exec(t.Context(), host.ExecRequest{}); !errors.Is(err, host.ErrRuntimeClosed) {
		t.Errorf("the call: %v", err)
	}
	if _, err := runtime.Load(t.Context(), "again", []byte("fake.wasm")); !errors.Is(err, host.ErrRuntimeClosed) {
		t.Errorf("Load: %v", err)
	}
}

// A file without a name takes room as long as it is open.
func TestAGuestThatDiesInItsStartFunctionLeavesNothingOpen(t *testing.T) {
	const size, nameAddress, fdAddress = 1000, 0, 64
	program := fakeGuest(nil)
	program.Start = func(ctx context.Context, in *enginetest.FakeInstance) error {
		name := uint64(copy(in.Bytes()[nameAddress:], "unnamed"))
		call := func(name string, stack ...uint64) uint64 {
			if err := in.Import(ctx, wasi.Module, name, stack); err != nil {
				t.Error(err)
			}
			return stack[0]
		}
		if call("path_open", 3, 0, nameAddress, name, 1, 1<<8|1<<22|1<<6, 0, 0, fdAddress) != 0 {
			return nil // when it is loaded, there are no files
		}
		fd := uint64(binary.LittleEndian.Uint32(in.Bytes()[fdAddress:]))
		if call("fd_filestat_set_size", fd, size) != 0 || call("path_unlink_file", 3, nameAddress, name) != 0 {
			t.Error("the file can't be made, or removed")
		}
		return &engine.TrapError{Reason: "unreachable"}
	}
	m, err := loadFake(t, program)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Responder("r")
	if err != nil {
		t.Fatal(err)
	}
	s := withWorkspace(t, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}},
		host.Workspace{Limits: workspace.Limits{Bytes: size}})
	_, err = s.Exec(t.Context(), host.ExecRequest{})
	_ = wantGuestError(t, err, host.GuestTrap)
	if err := s.Workspace().WriteFile("full", make([]byte, size), 0o600); err != nil {
		t.Error(err)
	}
}
