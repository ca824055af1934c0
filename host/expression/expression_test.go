package expression_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/expression"
)

func newCall(t *testing.T, method host.Method, args []any, kwargs map[string]any) host.Call {
	t.Helper()
	request, err := host.NewRequest(method, args, kwargs)
	if err != nil {
		t.Fatal(err)
	}
	call, err := host.NewCall(3, request)
	if err != nil {
		t.Fatal(err)
	}
	return call
}

func TestExpressionsSeeTheCall(t *testing.T) {
	exec := newCall(t, host.MethodExec, []any{"git", "status"}, map[string]any{"timeout": 5})
	write := newCall(t, host.MethodWrite, []any{"a.txt", "text"}, nil)
	binary := newCall(t, host.MethodWrite, []any{"a.bin", map[string]any{"base64": "/wA="}}, nil)
	moved := newCall(t, host.MethodWrite, []any{"a.txt", map[string]any{"text": "abc", "position": int64(2)}}, nil)
	patch := newCall(t, host.MethodApplyPatch, []any{[]any{map[string]any{"type": "delete_file", "path": "x.go"}}}, nil)
	for _, test := range []struct {
		source string
		call   host.Call
		want   bool
	}{
		{`call.args[0] == "git" && size(call.args) == 2`, exec, true},
		{`call.index == 3 && call.method == "exec"`, exec, true},
		{`call.kwargs.timeout == 5`, exec, true},
		{`call.kwargs.timeout > 4 && call.kwargs.timeout < 5.5`, exec, true},
		{`call.kwargs.user == null && call.kwargs["shell"] == true`, exec, true},
		{`has(call.kwargs.tty)`, exec, false},
		{`call.args.exists(a, a.startsWith("st"))`, exec, true},
		{`call.args[1].matches("^sta")`, exec, true},
		{`call.args.join(" ") == "git status"`, exec, true},
		{`call.args[1] == "text"`, write, true},
		{`call.args[1] == b"\xff\x00"`, binary, true},
		{`call.args[1] == "c"`, moved, true},
		{`call.args[0][0].path.endsWith(".go")`, patch, true},
		{`call.args[0] == "hg"`, exec, false},
	} {
		m, err := expression.Compile(test.source)
		if err != nil {
			t.Errorf("%s: %v", test.source, err)
			continue
		}
		verdict, err := m.Match(t.Context(), test.call)
		if err != nil {
			t.Errorf("%s: %v", test.source, err)
		}
		got := verdict.Answer == host.Accept().Answer
		if got != test.want {
			t.Errorf("%s: accepted %v, want %v", test.source, got, test.want)
		}
		if !test.want && !strings.Contains(verdict.Reason, test.source) {
			t.Errorf("%s: the reason is %q", test.source, verdict.Reason)
		}
	}
}

func TestWhatIsWrongWithAnExpressionIsFoundBeforeAnyCall(t *testing.T) {
	for _, test := range []struct {
		name, source string
		line, column int
		message      string
	}{
		{"a syntax error", "call.index ==", 1, 14, "Syntax error"},
		{"a position on another line", "call.index == 1 &&\n  nothing", 2, 3, "undeclared reference to 'nothing'"},
		{"an unknown variable of the call", "call.metod == 'exec'", 1, 5, "did you mean 'call.method'?"},
		{"a number", "call.index + 1", 1, 1, "must be a bool, not int"},
		{"a value of any type", "call.args[0]", 1, 1, "== true"},
		{"different types", "call.index == 'a'", 1, 12, "no matching overload"},
		{"a bad regular expression", "call.method.matches('(')", 1, 21, "invalid matches argument"},
		{"a function that reads time zones", "timestamp('2000-01-01T00:00:00Z').getHours('Europe/Rome') == 1", 1, 43, "undeclared reference to 'getHours'"},
		{"nothing", "", 1, 1, ""},
		{"a text that is too long", strings.Repeat(" ", 70_000) + "true", 0, 0, "size"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := expression.Compile(test.source)
			e, ok := errors.AsType[*expression.Error](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			first := e.Problems[0]
			if test.line > 0 && (first.Line != test.line || first.Column != test.column) {
				t.Errorf("it is at %d:%d, want %d:%d: %v", first.Line, first.Column, test.line, test.column, err)
			}
			if !strings.Contains(first.Message, test.message) {
				t.Errorf("it says %q, want %q", first.Message, test.message)
			}
		})
	}
}

func TestAnExpressionWithoutAValueIsAnErrorAndKeepsTheStep(t *testing.T) { // S3.7
	m, err := expression.Compile(`call.args[1] == "x"`)
	if err != nil {
		t.Fatal(err)
	}
	s, err := host.NewScripted([]host.Step{{Method: host.MethodExec, Match: m, Outcome: host.Return(host.ExecResult{})}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"one"}})
	if _, ok := errors.AsType[*expression.EvalError](err); !ok {
		t.Errorf("got %v", err)
	}
	if s.RemainingSteps() != 1 {
		t.Error("the step was consumed")
	}
}

func TestAnExpensiveExpressionEnds(t *testing.T) {
	list := "[" + strings.Repeat("1,", 100) + "1]"
	m, err := expression.Compile(strings.ReplaceAll("L.all(a, L.all(b, L.all(c, L.all(d, L.all(e, a + b + c + d + e > 0)))))", "L", list))
	if err != nil {
		t.Fatal(err)
	}
	call := newCall(t, host.MethodExec, []any{"x"}, nil)

	t.Run("by its cost", func(t *testing.T) {
		start := time.Now()
		_, err := m.Match(t.Context(), call)
		if _, ok := errors.AsType[*expression.EvalError](err); !ok {
			t.Errorf("got %v", err)
		}
		t.Logf("it took %v", time.Since(start))
	})
	t.Run("by its context", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, err := m.Match(ctx, call)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		t.Logf("it took %v", time.Since(start))
	})
}

func TestExpressionsMayBeSharedByGoroutines(t *testing.T) {
	m, err := expression.Compile(`call.args.exists(a, a == "x")`)
	if err != nil {
		t.Fatal(err)
	}
	call := newCall(t, host.MethodExec, []any{"w", "x"}, nil)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 100 {
				if verdict, err := m.Match(t.Context(), call); err != nil || verdict.Reason != "" {
					t.Error(verdict, err)
				}
			}
		})
	}
	group.Wait()
}

// One call of a function must not take the memory before the cost limit sees it.
func TestFunctionsThatGrowTextAreBoundedOrLeftOut(t *testing.T) {
	for _, source := range []string{
		`call.args[0].replace("a", call.args[0]) == "x"`,
		`call.args[0].split("").size() == 0`,
		`"%s".format([call.args[0]]) == ""`,
	} {
		if _, err := expression.Compile(source); !errors.As(err, new(*expression.Error)) {
			t.Errorf("%s: error %v", source, err)
		}
	}
	m, err := expression.Compile(`call.args.join(call.args[0]) == ""`)
	if err != nil {
		t.Fatal(err)
	}
	call, err := host.NewCall(0, &host.ExecRequest{Command: slices.Repeat([]string{strings.Repeat("a", 100_000)}, 1000)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.Match(t.Context(), call); !errors.As(err, new(*expression.EvalError)) {
		t.Errorf("error %v", err)
	}
}
