package host_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// S4.1, S4.7: what the script names is visible, sorted, and stays so.
func TestOnlyMethodsOfTheScriptAreVisible(t *testing.T) {
	s := newSession(t, answering(host.MethodWrite, host.MethodExec, host.MethodWrite))
	want := []host.Method{host.MethodExec, host.MethodWrite}
	check := func() {
		t.Helper()
		if !reflect.DeepEqual(s.Methods(), want) {
			t.Errorf("methods %v", s.Methods())
		}
		anyMethod(func(m host.Method) {
			if s.Supports(m) != slices.Contains(want, m) {
				t.Errorf("supports method %d: %v", m, s.Supports(m))
			}
		})
	}
	check()
	for _, r := range []host.Request{&host.WriteRequest{}, &host.ExecRequest{}, &host.WriteRequest{}} {
		if _, err := s.Do(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	check()
	s.Methods()[0] = 0 // the asker's own
	check()
	_, err := s.Exec(t.Context(), host.ExecRequest{})
	wantError[*host.UnexpectedCallError](t, err)
}

// S4.2, S4.3, S4.4: one half of the PTY pair shows both.
func TestOneHalfOfThePTYPairShowsBoth(t *testing.T) {
	pair := []host.Method{host.MethodPTYExecStart, host.MethodPTYWriteStdin}
	for i, scripted := range pair {
		t.Run("only "+scripted.String(), func(t *testing.T) {
			other := pair[1-i]
			s := newSession(t, answering(scripted))
			if !s.SupportsPTY() || !reflect.DeepEqual(s.Methods(), pair) {
				t.Errorf("methods %v", s.Methods())
			}
			_, err := s.Do(t.Context(), request(other))
			if e := errorAs[*host.UnexpectedCallError](t, err); e.Call.Method() != other || e.Expected != scripted {
				t.Errorf("called %v, expected %v", e.Call.Method(), e.Expected)
			}
		})
	}
	if newSession(t, answering(host.MethodExec)).SupportsPTY() {
		t.Error("a script without PTY supports it")
	}
}

// S4.6: a call of a hidden method is told apart from an unexpected one, and
// leaves no trace.
func TestAHiddenMethodIsUnsupported(t *testing.T) {
	for _, r := range requests("secret") {
		t.Run(r.Method().String(), func(t *testing.T) {
			visible := host.MethodExec
			if r.Method() == visible {
				visible = host.MethodLs
			}
			s := newSession(t, answering(visible))
			_, err := s.Do(t.Context(), r)
			if e := errorAs[*host.UnsupportedError](t, err); e.Method != r.Method() || !errors.Is(err, errors.ErrUnsupported) {
				t.Errorf("method %v", e.Method)
			}
			if !strings.Contains(err.Error(), r.Method().String()) || strings.Contains(err.Error(), "secret") {
				t.Errorf("text %q", err)
			}
			if _, ok := errors.AsType[host.ScriptError](err); ok {
				t.Error("it is a script error")
			}
			wantCalls(t, s)
			wantRemaining(t, s, 1)
			if refused := s.Refused(); len(refused) != 1 || refused[r.Method()] != 1 {
				t.Errorf("refused %v", refused)
			}
		})
	}
}

// S4.8: an empty script shows no method, and the rest of the session works.
func TestAnEmptyScriptShowsNoMethod(t *testing.T) {
	s := newSession(t, nil)
	if m := s.Methods(); m == nil || len(m) != 0 {
		t.Errorf("methods %v", m)
	}
	if err := errors.Join(s.Start(t.Context()), s.Stop(t.Context()), s.Shutdown(t.Context()), s.AssertComplete()); err != nil {
		t.Error(err)
	}
	if s.RemainingSteps() != 0 || len(s.Calls()) != 0 || s.Manifest().Root != host.DefaultRoot {
		t.Error("the session isn't empty")
	}
}

// S1.3, S4.5, S4.10, S10.12: the interface, the ABI, the validator and the
// reader of plain arguments know the same methods.
func TestAllPartsKnowTheSameMethods(t *testing.T) {
	want := abi.Methods()
	if len(want) != 9 {
		t.Fatalf("the ABI has %d methods", len(want))
	}
	for name, have := range map[string][]host.Method{
		"host.Session":  methodsOf(reflect.TypeFor[host.Session]()),
		"host.Scripted": methodsOf(reflect.TypeFor[*host.Scripted]()),
		"steps":         validMethods(),
		"NewRequest":    knownTo(func(m host.Method) error { _, err := host.NewRequest(m, nil, nil); return err }),
		"ParseResult":   knownTo(func(m host.Method) error { _, err := host.ParseResult(m, nil); return err }),
		"KwargNames":    methodsWith(func(m host.Method) bool { return host.KwargNames(m) != nil }),
		"names":         methodsWith(func(m host.Method) bool { p, ok := host.ParseMethod(m.String()); return ok && p == m }),
		"Method.Valid":  methodsWith(host.Method.Valid),
		"these tests":   methodsWith(func(m host.Method) bool { _, ok := answers[m]; return ok }),
		"their requests": methodsWith(func(m host.Method) bool {
			return slices.ContainsFunc(requests(""), func(r host.Request) bool { return r.Method() == m })
		}),
	} {
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%s: %v, want %v", name, have, want)
		}
	}
}

// methodsOf finds the methods that take a request, by the requests' own methods,
// and holds their Go names against the names in scripts.
func methodsOf(session reflect.Type) []host.Method {
	var methods []host.Method
	for m := range session.Methods() {
		for in := range m.Type.Ins() {
			r, ok := reflect.New(in).Interface().(host.Request)
			if !ok {
				continue
			}
			if strings.ReplaceAll(r.Method().String(), "_", "") != strings.ToLower(m.Name) {
				panic(m.Name + " takes a request of " + r.Method().String())
			}
			methods = append(methods, r.Method())
		}
	}
	slices.Sort(methods)
	return methods
}

func validMethods() []host.Method {
	return methodsWith(func(m host.Method) bool {
		_, err := host.NewScripted([]host.Step{{Method: m, Outcome: host.Fail(errBoom)}})
		return err == nil
	})
}

func knownTo(f func(host.Method) error) []host.Method {
	return methodsWith(func(m host.Method) bool {
		err, _ := errors.AsType[*host.FieldError](f(m))
		return err == nil || *err != host.FieldError{Field: "method", Problem: "is unknown"}
	})
}

func methodsWith(fits func(host.Method) bool) []host.Method {
	var methods []host.Method
	anyMethod(func(m host.Method) {
		if fits(m) {
			methods = append(methods, m)
		}
	})
	return methods
}

// S4.9: a helper over a session sees what the session shows: what it calls is
// recorded and uses steps, and fails if it is hidden.
func TestHelpersOverASessionUseItsSteps(t *testing.T) {
	materialize := func(s host.Session, root string) error {
		return s.Mkdir(t.Context(), host.MkdirRequest{Path: root, Parents: true})
	}
	hidden := newSession(t, answering(host.MethodExec))
	if err := materialize(hidden, hidden.Manifest().Root); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("without a step: %v", err)
	}
	scripted := newSession(t, answering(host.MethodMkdir))
	if err := materialize(scripted, scripted.Manifest().Root); err != nil {
		t.Error(err)
	}
	if want := call(t, 0, &host.MkdirRequest{Path: "/workspace", Parents: true}); !scripted.Calls()[0].Equal(want) {
		t.Error("the call isn't recorded")
	}
	wantComplete(t, scripted)
}
