// Package extism compares a call of a session with one of Extism's Go SDK. In both, a
// guest in C gives back what it is asked.
package extism

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	extism "github.com/extism/go-sdk"
	"github.com/tetratelabs/wazero"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// An echo asks a guest, any number of times, to give back a text.
type echo interface {
	// ready is called before each round of calls, whose time isn't measured.
	ready(calls int) error
	call(text string) (string, error)
	close() error
}

// contenders are what is compared. The first one is the measure.
var contenders = []struct {
	name string
	make func(ctx context.Context) (echo, error)
}{
	{"session", newSession}, // with a fuel limit, and a context that can be cancelled
	{"extism", func(ctx context.Context) (echo, error) { return newPlugin(ctx, 0, false) }},
	{"extism-cancellable", func(ctx context.Context) (echo, error) { return newPlugin(ctx, 0, true) }},
	{"extism-timeout", func(ctx context.Context) (echo, error) { return newPlugin(ctx, time.Hour, true) }},
}

// A session is a step for each call, all of which a guest answers, and a context that can
// be cancelled.
type session struct {
	ctx     context.Context
	runtime *host.Runtime
	step    host.Step
	open    *host.Scripted // nil: none
}

func newSession(ctx context.Context) (echo, error) {
	wasm, err := os.ReadFile("testdata/guest.wasm")
	if err != nil {
		return nil, err
	}
	r, err := host.NewRuntime(ctx)
	if err != nil {
		return nil, err
	}
	s := &session{ctx: ctx, runtime: r}
	module, err := r.Load(ctx, "echo", wasm)
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	responder, err := module.Responder("echo")
	if err != nil {
		return nil, errors.Join(err, s.close())
	}
	s.step = host.Step{Method: host.MethodExec, Outcome: host.Respond(responder)}
	return s, nil
}

// ready makes another session, and has it open its guest with a first call.
func (s *session) ready(calls int) (err error) {
	if err := s.closeSession(); err != nil {
		return err
	}
	steps := make([]host.Step, calls+1)
	for i := range steps {
		steps[i] = s.step
	}
	s.open, err = host.NewScripted(steps, host.WithLimits(host.Limits{CallFuel: 1 << 30, SessionFuel: 1 << 50}))
	if err != nil {
		return err
	}
	_, err = s.call("first")
	return err
}

func (s *session) call(text string) (string, error) {
	result, err := s.open.Exec(s.ctx, host.ExecRequest{Command: []string{text}})
	return string(result.Stdout), err
}

func (s *session) closeSession() error {
	if s.open == nil {
		return nil
	}
	return s.open.Close(context.WithoutCancel(s.ctx))
}

func (s *session) close() error {
	return errors.Join(s.closeSession(), s.runtime.Close(context.WithoutCancel(s.ctx)))
}

// A plugin is called with a context that can be cancelled if it takes notice of that.
type plugin struct {
	ctx context.Context
	*extism.Plugin
}

func newPlugin(ctx context.Context, timeout time.Duration, cancellable bool) (echo, error) {
	wasm, err := os.ReadFile("testdata/plugin.wasm")
	if err != nil {
		return nil, err
	}
	if !cancellable {
		ctx = context.WithoutCancel(ctx)
	}
	manifest := extism.Manifest{Wasm: []extism.Wasm{extism.WasmData{Data: wasm}}, Timeout: uint64(timeout.Milliseconds())}
	config := extism.PluginConfig{RuntimeConfig: wazero.NewRuntimeConfig().WithCloseOnContextDone(cancellable)}
	p, err := extism.NewPlugin(ctx, manifest, config, nil)
	return &plugin{ctx, p}, err
}

func (p *plugin) ready(int) error { return nil }

func (p *plugin) call(text string) (string, error) {
	code, output, err := p.CallWithContext(p.ctx, "echo", []byte(text))
	if err == nil && code != 0 {
		err = fmt.Errorf("the plug-in answers with %d", code)
	}
	return string(output), err
}

func (p *plugin) close() error { return p.Close(context.WithoutCancel(p.ctx)) }

func TestAllGiveBackWhatTheyAreAsked(t *testing.T) {
	for _, c := range contenders {
		t.Run(c.name, func(t *testing.T) {
			e, err := c.make(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			texts := []string{"x", "0123456789", strings.Repeat("0123456789", 5000)}
			if err := e.ready(len(texts)); err != nil {
				t.Fatal(err)
			}
			for _, text := range texts {
				if got, err := e.call(text); err != nil || got != text {
					t.Errorf("got %d bytes for %d, %v", len(got), len(text), err)
				}
			}
			if err := e.close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// BenchmarkEcho has the contenders take turns, round by round, so that other work of the
// machine is the same for all. The metrics are a call's time in the median round, and how
// many times longer it is than the session's. Collections of garbage, which a median leaves
// out, are in the metrics of the mean.
func BenchmarkEcho(b *testing.B) {
	for _, size := range []int{16, 1 << 10, 16 << 10} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) { compare(b, strings.Repeat("x", size)) })
	}
}

const callsPerRound = 20

func compare(b *testing.B, text string) {
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	echoes := make([]echo, len(contenders))
	for i, c := range contenders {
		e, err := c.make(ctx)
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = e.close() }()
		echoes[i] = e
	}
	rounds := make([][]time.Duration, len(contenders))
	for b.Loop() {
		for i, e := range echoes {
			took, err := round(e, text)
			if err != nil {
				b.Fatal(contenders[i].name, err)
			}
			rounds[i] = append(rounds[i], took)
		}
	}
	b.ReportMetric(0, "ns/op") // it is a round of all
	base, baseMean := median(rounds[0]), mean(rounds[0])
	for i, c := range contenders {
		b.ReportMetric(median(rounds[i])/callsPerRound, "ns/"+c.name)
		if i > 0 {
			b.ReportMetric(median(rounds[i])/base, "x-"+c.name)
			b.ReportMetric(mean(rounds[i])/baseMean, "mean-x-"+c.name)
		}
	}
}

func median(rounds []time.Duration) float64 {
	slices.Sort(rounds)
	return float64(rounds[len(rounds)/2].Nanoseconds())
}

func mean(rounds []time.Duration) float64 {
	var sum time.Duration
	for _, took := range rounds {
		sum += took
	}
	return float64(sum.Nanoseconds()) / float64(len(rounds))
}

func round(e echo, text string) (time.Duration, error) {
	if err := e.ready(callsPerRound); err != nil {
		return 0, err
	}
	begun := time.Now()
	for range callsPerRound {
		got, err := e.call(text)
		if err != nil {
			return 0, err
		}
		if len(got) != len(text) {
			return 0, fmt.Errorf("%d bytes for %d", len(got), len(text))
		}
	}
	return time.Since(begun), nil
}
