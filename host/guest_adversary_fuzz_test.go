package host_test

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
)

// An adversary is a guest that does what the fuzzer says, in each of its exports: it
// calls imports with any arguments, writes to its memory, and answers anything.
type adversary struct {
	script  []byte
	imports []engine.HostFunc
	honest  fakeFuncs
	live    int // instances
}

// What a script may say; the byte that follows the last one chooses.
const (
	actAnswer = iota // with any number
	actHonest        // as an honest guest does
	actImport        // any import, with any arguments
	actWrite         // bytes to any place
	actTrap
	actGrow
	actMessage // a reply from the script, where replies are
	actContext // what an engine says when the context has ended
	acts
)

// next is the next byte of the script, which ends in zeros.
func (a *adversary) next() byte {
	if len(a.script) == 0 {
		return 0
	}
	b := a.script[0]
	a.script = a.script[1:]
	return b
}

// number is one of those at the borders, or any.
func (a *adversary) number() uint64 {
	borders := [...]uint64{
		0, 1, 2, 8, inputAddress, replyAddress, fakePages<<16 - 1, fakePages << 16, fakePages<<16 + 1, 1<<16 + 1,
		1<<31 - 1, 1 << 31, 1<<32 - 1, 1<<32 - 8, 1<<63 - 1, 1 << 63, 1<<64 - 1, 16 << 20, 16<<20 + 1,
	}
	b := a.next()
	switch {
	case int(b) < len(borders):
		return borders[b]
	case b < 0x80:
		return uint64(b)
	case b < 0xc0:
		return uint64(a.next())<<8 | uint64(a.next())
	default:
		var raw [8]byte
		for i := range raw {
			raw[i] = a.next()
		}
		return binary.LittleEndian.Uint64(raw[:])
	}
}

// bytes takes up to 255 bytes from the script.
func (a *adversary) bytes() []byte {
	n := min(int(a.next()), len(a.script))
	b := a.script[:n]
	a.script = a.script[n:]
	return b
}

// act does what the script says until an export has its answer.
func (a *adversary) act(export string) fakeRun {
	return func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
		for len(a.script) > 0 {
			switch a.next() % acts {
			case actAnswer:
				stack[0] = a.number()<<32 | a.number()&(1<<32-1)
				return nil
			case actHonest:
				return a.answer(ctx, export, in, stack)
			case actImport:
				if err := a.call(ctx, in); err != nil {
					return err
				}
			case actWrite:
				copy(in.Bytes()[a.number()%uint64(len(in.Bytes())):], a.bytes())
			case actTrap:
				return &engine.TrapError{Reason: "scripted"}
			case actGrow:
				in.Grow(uint32(a.next() % 4))
			case actMessage:
				return replyBytes(a.bytes())(ctx, in, stack)
			case actContext:
				return context.DeadlineExceeded
			}
		}
		return a.answer(ctx, export, in, stack)
	}
}

func (a *adversary) answer(ctx context.Context, export string, in *enginetest.FakeInstance, stack []uint64) error {
	if f, ok := a.honest[export]; ok {
		return f.Run(ctx, in, stack)
	}
	return nil // _initialize, and the start function
}

// call calls an import with what the script has for arguments.
func (a *adversary) call(ctx context.Context, in *enginetest.FakeInstance) error {
	f := a.imports[int(a.next())%len(a.imports)]
	stack := make([]uint64, max(len(f.Type.Params), 1))
	for i := range f.Type.Params {
		stack[i] = a.number()
	}
	return in.Import(ctx, f.Module, f.Name, stack)
}

// program is the adversary as a module. Exports whose bit isn't set in from are
// honest.
func (a *adversary) program(from uint16) enginetest.Program {
	a.honest = fakeGuest(nil).Functions
	functions := fakeFuncs{}
	for i, export := range abi.Exports() {
		if from&(1<<i) != 0 {
			functions[export.Name] = enginetest.Func{Run: a.act(export.Name)}
		}
	}
	if _, ok := functions[abi.ExportInitialize]; ok {
		functions[abi.ExportInitialize] = enginetest.Func{Type: engine.Func([]engine.ValueType{}), Run: a.act(abi.ExportInitialize)}
	}
	p := fakeGuest(functions)
	p.MaxPages = 8
	p.Start = func(ctx context.Context, in *enginetest.FakeInstance) error {
		var err error
		if from&(1<<15) != 0 {
			err = a.act("start")(ctx, in, make([]uint64, 1))
		}
		if err == nil {
			a.live++
		}
		return err
	}
	return p
}

// FuzzGuestAdversary lets the guest be the adversary: whatever it does, the host gives
// typed errors, keeps no more than its limits, and closes all instances.
func FuzzGuestAdversary(f *testing.F) {
	const everything = 0xffff
	f.Add(uint16(0), []byte{})
	f.Add(uint16(everything), []byte{})
	f.Add(uint16(1<<2), []byte{actAnswer, 0, 7, actAnswer, 0, 12})                                      // buffers
	f.Add(uint16(1<<6), []byte{actImport, 4, actImport, 5, 1, 0, 8, actMessage, 4, 0x1a, 2, 0x12, 0})   // a blob
	f.Add(uint16(1<<5|1<<6), []byte{actImport, 0, 1, 12, 12, actImport, 1, 7, 12, actTrap, actHonest})  // log, fail
	f.Add(uint16(1<<7), []byte{actMessage, 2, 0x12, 0, actHonest})                                      // close
	f.Add(uint16(1<<3|1<<4), []byte{actMessage, 5, 0x0a, 3, 0x3a, 1, 0, actAnswer, 12, 12, actGrow, 3}) // describe, open
	f.Add(uint16(everything), []byte{actWrite, 5, 4, 0x1a, 2, 0x12, 0, actAnswer, 5, 4, actContext, actImport, 60, 3})
	f.Fuzz(func(t *testing.T, from uint16, script []byte) {
		a := &adversary{script: script}
		runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
			func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
				a.imports = imports
				fake := enginetest.NewFake(map[string]enginetest.Program{"fake.wasm": a.program(from)}, imports...)
				return closeCounter{fake, &a.live}, nil
			}))
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			if a.live != 0 {
				t.Errorf("%d instances are open", a.live)
			}
			_ = runtime.Close(context.Background())
		}()
		module, err := runtime.Load(t.Context(), "fake", []byte("fake.wasm"))
		if err != nil {
			wantTyped(t, err)
			return
		}
		meetAdversary(t, module)
	})
}

// meetAdversary makes a few calls of the handlers there are.
func meetAdversary(t *testing.T, module *host.Module) {
	steps := []host.Step{{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})}}
	for _, method := range []host.Method{host.MethodExec, host.MethodWrite, host.MethodLs} {
		step := host.Step{Method: method, Outcome: host.Fail(host.NewSandboxError(host.CodeExecTimeout, nil, nil))}
		for _, h := range module.Description().Handlers {
			if m, err := module.Matcher(h.Name); err == nil && m.Serves(method) {
				step.Match = m
			}
			if r, err := module.Responder(h.Name); err == nil && r.Serves(method) {
				step.Outcome = host.Respond(r)
			}
		}
		steps = append(steps, step, step)
	}
	s, err := host.NewScripted(steps, host.WithLimits(host.Limits{LogBytes: 1 << 10, BlobBytes: 1 << 16, ReplyBytes: 1 << 16}))
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		pending := s.PendingSteps()
		if len(pending) == 0 {
			break
		}
		if result, err := s.Do(t.Context(), anyRequest(pending[0].Method)); err != nil {
			wantTyped(t, err)
		} else {
			_ = host.PlainResult(result)
		}
	}
	if err := s.Close(t.Context()); err != nil {
		wantTyped(t, err)
	}
	for _, record := range s.History() {
		size := 0
		for _, entry := range record.Logs {
			size += len(entry.Text)
		}
		if size > 3<<10 { // what is no text grows when it is replaced
			t.Errorf("%d bytes of logs are kept for a call", size)
		}
	}
}

// wantTyped wants an error that says what a guest did.
func wantTyped(t *testing.T, err error) {
	t.Helper()
	if !errors.As(err, new(*host.GuestError)) && !errors.As(err, new(*host.ModuleError)) &&
		!errors.As(err, new(*host.SandboxError)) && !errors.As(err, new(*host.MatcherRejectedError)) {
		t.Fatalf("an untyped error: %v (%T)", err, err)
	}
	if err.Error() == "" {
		t.Error("an error without a text")
	}
}
