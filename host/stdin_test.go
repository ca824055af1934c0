package host_test

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/enginetest"
	"github.com/wasmsandbox/wasmsandbox/host/wasi"
)

// readStdin reads all of standard input, in pieces of 8 bytes, as a guest does.
func readStdin(ctx context.Context, in *enginetest.FakeInstance) string {
	const vector, count, data = 0, 16, 64
	var all strings.Builder
	for {
		binary.LittleEndian.PutUint32(in.Bytes()[vector:], data)
		binary.LittleEndian.PutUint32(in.Bytes()[vector+4:], 8)
		stack := []uint64{0, vector, 1, count}
		if err := in.Import(ctx, wasi.Module, "fd_read", stack); err != nil || stack[0] != 0 {
			panic(fmt.Sprint(err, stack[0]))
		}
		n := binary.LittleEndian.Uint32(in.Bytes()[count:])
		if n == 0 {
			return all.String()
		}
		all.Write(in.Bytes()[data : data+n])
	}
}

// interpreter is a guest whose one responder has the name that it reads from
// standard input, and answers with it.
func interpreter(described *atomic.Int32) enginetest.Program {
	return fakeGuest(fakeFuncs{
		abi.ExportDescribe: {Run: func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
			described.Add(1)
			return replyWith(abi.Reply{Description: &abi.Description{
				Handlers: []abi.Handler{{ID: 2, Name: "says " + readStdin(ctx, in), Kind: abi.HandlerRespond}},
			}})(ctx, in, stack)
		}},
		abi.ExportRespond: {Run: func(ctx context.Context, in *enginetest.FakeInstance, stack []uint64) error {
			return replyWith(execReply(readStdin(ctx, in)))(ctx, in, stack)
		}},
	})
}

func TestAGuestIsWhatItsStandardInputMakesIt(t *testing.T) {
	var described atomic.Int32
	runtime, err := host.NewRuntime(t.Context(), host.WithEngine(
		func(_ context.Context, imports []engine.HostFunc) (engine.Engine, error) {
			return enginetest.NewFake(map[string]enginetest.Program{"i": interpreter(&described)}, imports...), nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.Close(t.Context())

	programs := []string{"", "one", "a program of more than eight bytes"}
	var wg sync.WaitGroup
	for i := range 30 {
		program := programs[i%len(programs)]
		wg.Go(func() {
			var opts []host.ModuleOption
			if program != "" {
				opts = append(opts, host.WithStdin([]byte(program)))
			}
			m, err := runtime.Load(context.Background(), "i", []byte("i"), opts...)
			if err != nil {
				t.Error(err)
				return
			}
			if m.SHA256() != sha256.Sum256([]byte("i")) || m.StdinSHA256() != sha256.Sum256([]byte(program)) {
				t.Errorf("%q: digests %x and %x", program, m.SHA256(), m.StdinSHA256())
			}
			r, err := m.Responder("says " + program)
			if err != nil {
				t.Error(err)
				return
			}
			for range 2 { // each session reads it from the start
				s, err := host.NewScripted([]host.Step{
					{Method: host.MethodExec, Outcome: host.Respond(r)}, {Method: host.MethodExec, Outcome: host.Respond(r)},
				})
				if err != nil {
					t.Error(err)
					return
				}
				for _, want := range []string{program, ""} {
					if result, err := s.Exec(context.Background(), host.ExecRequest{}); err != nil || string(result.Stdout) != want {
						t.Errorf("got %q, %v, want %q", result.Stdout, err, want)
					}
				}
				if err := s.Close(context.Background()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := int(described.Load()); got != len(programs) {
		t.Errorf("described %d times, want once for each program", got)
	}
}

func TestAModuleKeepsItsStandardInput(t *testing.T) {
	var described atomic.Int32
	program := []byte("before")
	m, err := loadFake(t, interpreter(&described), host.WithStdin(program))
	if err != nil {
		t.Fatal(err)
	}
	copy(program, "AFTER!")
	r, err := m.Responder("says before")
	if err != nil {
		t.Fatal(err)
	}
	s, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close(t.Context())
	if result, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil || string(result.Stdout) != "before" {
		t.Errorf("got %q, %v", result.Stdout, err)
	}
}
