package soak

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
)

// A crowd is what uses one session from all sides.
type crowd struct {
	*testing.T
	runtime *host.Runtime
	session *host.Scripted
	steps   []host.Step
	opts    []host.Option

	mu    sync.Mutex
	taken []*host.Checkpoint
}

func newCrowd(t *testing.T, r *host.Runtime, m *host.Module) *crowd {
	t.Helper()
	c := &crowd{T: t, runtime: r, opts: append(options(), host.WithLimits(host.Limits{CallFuel: 5_000_000, MemoryBytes: 8 << 20}))}
	step, err := answeredBy(m, host.MethodExec, "r")
	kitchen, failed := loadKitchen(t.Context(), r, "c")
	if err := errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	store, err := answeredBy(kitchen, host.MethodWrite, "store")
	if err != nil {
		t.Fatal(err)
	}
	accept, err := kitchen.Matcher("accept")
	if err != nil {
		t.Fatal(err)
	}
	store.Match = accept
	for range 100 {
		c.steps = append(c.steps, step, store, host.Step{Method: host.MethodExec, Match: accept, Outcome: step.Outcome})
	}
	if c.session, err = host.NewScripted(c.steps, c.opts...); err != nil {
		t.Fatal(err)
	}
	return c
}

// deeds are what can be done with the session. What they fail with is one of the errors
// that are documented, or the test fails.
var deeds = []func(context.Context, *crowd, int) error{
	func(ctx context.Context, c *crowd, n int) error { return run(ctx, c.session, fmt.Sprint("x", n)) },
	func(ctx context.Context, c *crowd, _ int) error { return run(ctx, c.session, "!g") },
	func(ctx context.Context, c *crowd, n int) error { // at last it loops
		return run(ctx, c.session, []string{"", "!l"}[n/16])
	},
	func(ctx context.Context, c *crowd, n int) error {
		return c.session.Write(ctx, host.WriteRequest{Path: "f", Data: strings.NewReader(strings.Repeat("x", n*2000))})
	},
	func(ctx context.Context, c *crowd, _ int) error { return c.keep(ctx) },
	func(ctx context.Context, c *crowd, n int) error { return c.goOn(ctx, n, (*host.Checkpoint).NewSession) },
	func(ctx context.Context, c *crowd, n int) error { return c.goOn(ctx, n, c.byFile) },
	func(ctx context.Context, c *crowd, _ int) error {
		u, err := c.session.PTYExecStart(ctx, host.PTYExecStartRequest{Command: []string{"cat"}, TTY: true})
		if err != nil || u.ProcessID == nil {
			return err
		}
		_, err = c.session.PTYWriteStdin(ctx, host.PTYWriteStdinRequest{SessionID: int64(*u.ProcessID), Chars: "text\n\x04"})
		return err
	},
	func(ctx context.Context, c *crowd, _ int) error {
		_, err := c.session.Read(ctx, host.ReadRequest{Path: "d/log"})
		return err
	},
	func(ctx context.Context, c *crowd, _ int) error { return c.session.Start(ctx) },
	func(ctx context.Context, c *crowd, _ int) error { return c.session.Stop(ctx) },
	func(_ context.Context, c *crowd, n int) error {
		_, err := c.session.RegisterPersistSkipPath(fmt.Sprint("skip", n))
		return err
	},
	func(_ context.Context, c *crowd, _ int) error {
		_, _, _, _ = c.session.GuestDigests(), c.session.History(), c.session.Fuel(), c.session.Refused()
		return nil
	},
	func(_ context.Context, c *crowd, _ int) error { c.runtime.DropIdle(); return nil },
}

func run(ctx context.Context, s *host.Scripted, command string) error {
	_, err := s.Exec(ctx, host.ExecRequest{Command: []string{"echo", command}})
	return err
}

// keep takes a checkpoint.
func (c *crowd) keep(ctx context.Context) error {
	taken, err := c.session.Checkpoint(ctx)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken = append(c.taken, taken)
	return nil
}

// goOn makes a session of the checkpoint that was taken last, which is used and closed.
func (c *crowd) goOn(ctx context.Context, n int, how func(*host.Checkpoint, ...host.Option) (*host.Scripted, error)) error {
	c.mu.Lock()
	taken := slices.Clone(c.taken)
	c.mu.Unlock()
	if len(taken) == 0 {
		return nil
	}
	from := taken[len(taken)-1]
	s, err := how(from)
	if err != nil {
		return err
	}
	calls := len(s.History())
	if n%2 == 0 {
		err = run(ctx, s, "fork")
	}
	again, failed := s.Checkpoint(ctx)
	if failed == nil {
		other, err := again.NewSession()
		if err != nil || len(other.History()) < calls {
			c.Errorf("%v, of %d calls are left %d", err, calls, len(other.History()))
		}
		failed = other.Close(ctx)
	}
	return errors.Join(err, failed, s.Close(ctx))
}

func (c *crowd) byFile(from *host.Checkpoint, _ ...host.Option) (*host.Scripted, error) {
	var file bytes.Buffer
	if _, err := from.WriteTo(&file); err != nil {
		return nil, err
	}
	read, err := host.ReadCheckpoint(context.Background(), &file, c.steps, c.opts...)
	if err != nil {
		return nil, err
	}
	return read.NewSession()
}

// documented reports whether an error is one that a session may answer with when others
// use it, close it, or close its runtime.
func documented(err error) bool {
	for _, known := range []error{
		host.ErrClosed, host.ErrBusy, host.ErrRuntimeClosed, context.Canceled, fs.ErrNotExist, io.ErrClosedPipe,
		host.CheckpointBusy, host.CheckpointTerminal, host.CodePTYSessionNotFound, engine.ErrClosed,
	} {
		if errors.Is(err, known) {
			return true
		}
	}
	_, died := errors.AsType[*host.GuestError](err)
	_, unexpected := errors.AsType[*host.UnexpectedCallError](err)
	_, sandbox := errors.AsType[*host.SandboxError](err)
	return err == nil || died || unexpected || sandbox
}

// A session is used from all sides until it is closed, and at last its runtime: each call
// ends with an answer or a documented error, and nothing is left.
func TestASessionIsUsedFromAllSides(t *testing.T) {
	for _, closesRuntime := range []bool{false, true} {
		onEachEngine(t, "state_numbers", func(t *testing.T, r *host.Runtime, m *host.Module) {
			for round := range uint64(15) {
				c := newCrowd(t, r, m)
				var group sync.WaitGroup
				for worker := range uint64(6) {
					random := rand.New(rand.NewPCG(round, worker))
					group.Go(func() {
						for n := range 20 {
							if worker == 0 && n == int(round) {
								if err := c.session.Close(t.Context()); !documented(err) {
									t.Errorf("closing: %T: %v", err, err)
								}
							}
							ctx, cancel := context.WithCancel(t.Context())
							if random.IntN(8) == 0 {
								go cancel()
							}
							if err := deeds[random.IntN(len(deeds))](ctx, c, n); !documented(err) {
								t.Errorf("%T: %v", err, err)
							}
							cancel()
						}
					})
				}
				if closesRuntime && round == 14 {
					group.Go(func() { _ = r.Close(context.Background()) })
				}
				group.Wait()
			}
		})
	}
}
