package host_test

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// FuzzScriptErrorsHoldNoPayload: S1.18, S3.17, S10.11: what a script or a call
// holds never shows in the text of a script error, nor in that of an error that
// means that a call was never made.
func FuzzScriptErrorsHoldNoPayload(f *testing.F) {
	f.Add([]byte("payload"))
	f.Add([]byte{})
	f.Add([]byte("%s%d%!v\n\x00\xff"))
	f.Fuzz(func(t *testing.T, random []byte) {
		random = random[:min(len(random), 64)]
		canary := "canary" + hex.EncodeToString(random) + string(random)
		check := func(err error) {
			t.Helper()
			if err == nil {
				t.Fatal("there is no error")
			}
			for _, text := range []string{err.Error(), fmt.Sprintf("%v|%+v|%s|%q", err, err, err, err)} {
				if strings.Contains(text, "canary") {
					t.Errorf("%T shows the payload: %q", err, text)
				}
			}
		}
		for i := range requests(canary) {
			for _, err := range callErrors(t, canary, i) {
				wantError[host.ScriptError](t, err)
				check(err)
			}
		}
		for _, err := range stepErrors(canary) {
			check(err)
		}
		for _, err := range otherErrors(t, canary) {
			check(err)
		}
	})
}

// callErrors makes a call in all ways that don't fit a script.
func callErrors(t *testing.T, canary string, i int) []error {
	r := func() host.Request { return requests(canary)[i] }
	method := r().Method()
	other := host.MethodExec
	if method == other {
		other = host.MethodRead
	}
	do := func(steps ...host.Step) error {
		_, err := newSession(t, steps).Do(t.Context(), r())
		return err
	}
	named := host.Step{Method: method, Outcome: host.Fail(errors.New(canary)), Source: canary}
	rejecting := named
	rejecting.Match = verdict(host.Reject(canary, host.Difference{Field: canary, Expected: canary, Actual: canary}))
	first := host.Step{Method: other, Outcome: host.Fail(errors.New(canary)), Source: canary}

	exhausted := newSession(t, []host.Step{named})
	_, _ = exhausted.Do(t.Context(), r())
	_, err := exhausted.Do(t.Context(), r())
	return []error{err, do(first, named), do(rejecting), newSession(t, []host.Step{named, first}).AssertComplete()}
}

// stepErrors are those of steps that can't be used.
func stepErrors(canary string) []error {
	var errs []error
	add := func(step host.Step) {
		step.Source = canary
		_, err := host.NewScripted([]host.Step{step})
		errs = append(errs, err)
	}
	values := []any{
		canary, &canary, []byte(canary), map[string]any{canary: canary}, errors.New(canary), []string{canary},
		&failingReader{content: strings.NewReader(canary), err: errors.New(canary)}, readerFunc(func([]byte) (int, error) { panic(canary) }),
		[]host.FileEntry{{Path: canary}}, host.ExecResult{Stdout: []byte(canary)}, host.TextStream(canary),
	}
	for method := range answers {
		for _, value := range values {
			if _, err := host.NewScripted([]host.Step{{Method: method, Outcome: host.Return(value)}}); err != nil {
				add(host.Step{Method: method, Outcome: host.Return(value)})
			}
		}
		add(host.Step{Method: method})
		add(host.Step{Method: method, Match: host.MatcherFunc(nil)})
	}
	add(host.Step{Method: 99, Outcome: host.Fail(errors.New(canary))})
	return append(errs, &host.InvalidStepError{Reason: host.ReasonUnknownMethod, Method: canary, Detail: "has an unknown method", Err: errors.New(canary)})
}

// otherErrors are errors of the host whose texts are just as free.
func otherErrors(t *testing.T, canary string) []error {
	write := func(r io.Reader) error {
		return newSession(t, answering(host.MethodWrite)).Write(t.Context(), host.WriteRequest{Path: canary, Data: r, User: canary})
	}
	panicking := newSession(t, []host.Step{
		matching(host.MatchFunc(func(host.Call) bool { panic(canary) })),
	})
	_, matcher := panicking.Exec(t.Context(), host.ExecRequest{Command: []string{canary}})
	wrong := newSession(t, []host.Step{respond(func(context.Context, host.Call) (any, error) { return canary, nil })})
	_, responder := wrong.Exec(t.Context(), host.ExecRequest{Command: []string{canary}})
	_, hidden := newSession(t, nil).Exec(t.Context(), host.ExecRequest{Command: []string{canary}})
	return []error{
		write(&failingReader{err: errors.New(canary)}), write(readerFunc(func([]byte) (int, error) { panic(canary) })),
		matcher, responder, hidden,
	}
}
