package hosttest_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/hosttest"
)

var (
	pwd = host.Step{
		Method: host.MethodExec, Source: "script.yaml:4", Outcome: host.Return(host.ExecResult{Stdout: []byte("/workspace\n")}),
		Match: host.MatcherFunc(func(_ context.Context, c host.Call) (host.Verdict, error) {
			if args := c.Args(); len(args) != 1 || args[0] != "pwd" {
				return host.Reject("the arguments differ", host.Difference{Field: "args[0]", Expected: `"pwd"`, Actual: `"ls"`}), nil
			}
			return host.Accept(), nil
		}),
	}
	notes   = host.Step{Method: host.MethodRead, Source: "script.yaml:9", Outcome: host.Return("# Notes\n")}
	timeout = host.Step{Method: host.MethodExec, Source: "script.yaml:12", Outcome: host.Fail(host.NewSandboxError(host.CodeExecTimeout, nil, nil))}
)

func respond(f host.ResponderFunc) host.Step {
	return host.Step{Method: host.MethodExec, Source: "script.yaml:20", Outcome: host.Respond(f)}
}

// run calls exec, whatever becomes of it.
func run(t testing.TB, s *host.Scripted, command ...string) {
	_, _ = s.Exec(t.Context(), host.ExecRequest{Command: command})
}

func read(t testing.TB, s *host.Scripted, path string) {
	_, _ = s.Read(t.Context(), host.ReadRequest{Path: path, User: "me"})
}

// Each test is run by itself; what it prints is in testdata, under its name.
func TestAReportSaysWhatDidNotGoAsScripted(t *testing.T) {
	guestError := &host.GuestError{
		Kind: host.GuestPanic, Module: "git", Handler: "status", Call: 0, Message: "index out of range", File: "main.go", Line: 7,
		Stack: "main.status(0x1)\n\nmain.handle()\n",
	}
	tests := []struct {
		name  string
		fails bool
		test  func(t testing.TB)
	}{
		{"all as scripted", false, func(t testing.TB) {
			s := hosttest.New(t, pwd, notes, timeout)
			run(t, s, "pwd")
			read(t, s, "notes.md")
			run(t, s, "sleep")
		}},
		{"no steps and no calls", false, func(t testing.TB) { hosttest.New(t) }},
		{"no calls", true, func(t testing.TB) { hosttest.New(t, pwd, host.Step{Method: host.MethodRm, Outcome: host.Return(nil)}) }},
		{"steps left", true, func(t testing.TB) {
			s := hosttest.New(t, pwd, timeout, notes, notes)
			run(t, s, "pwd")
			run(t, s, "sleep", "10")
		}},
		{"an unexpected call before the expected one", true, func(t testing.TB) {
			s := hosttest.New(t, pwd, notes)
			read(t, s, "notes.md")
			run(t, s, "pwd")
			read(t, s, "notes.md")
			run(t, s, "one", "more", strings.Repeat("long ", 30))
		}},
		{"a rejected call before the right one", true, func(t testing.TB) {
			s := hosttest.New(t, pwd)
			run(t, s, "ls", "-l")
			run(t, s, "pwd")
		}},
		{"a guest's panic", true, func(t testing.TB) {
			s := hosttest.New(t, respond(func(context.Context, host.Call) (any, error) { return nil, guestError }))
			run(t, s, "git", "status")
		}},
		{"a responder's panic", true, func(t testing.TB) {
			s := hosttest.New(t, respond(func(context.Context, host.Call) (any, error) { panic("no such\nbranch") }))
			run(t, s, "git", "status")
		}},
		{"a matcher's panic", true, func(t testing.TB) {
			s := hosttest.New(t, host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{}), Match: host.MatchFunc(
				func(c host.Call) bool { return c.Args()[2] == "x" || c.Index() > 0 })})
			run(t, s, "git")
			run(t, s, "a", "b", "x")
		}},
		{"a result of another type", true, func(t testing.TB) {
			s := hosttest.New(t, respond(func(context.Context, host.Call) (any, error) { return "text", nil }))
			run(t, s, "git")
		}},
		{"errors of matchers and responders are answers", false, func(t testing.TB) {
			s := hosttest.New(t, respond(func(context.Context, host.Call) (any, error) { return nil, errors.New("no branch") }),
				host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{}), Match: host.MatcherFunc(
					func(_ context.Context, c host.Call) (host.Verdict, error) {
						return host.Verdict{}, map[bool]error{true: errors.New("not yet")}[c.Index() == 1]
					})})
			run(t, s, "a")
			run(t, s, "b")
			run(t, s, "c")
		}},
		{"a guest error that a step is scripted to fail with", false, func(t testing.TB) {
			run(t, hosttest.New(t, host.Step{Method: host.MethodExec, Outcome: host.Fail(guestError)}))
		}},
		{"a test that has failed already", true, func(t testing.TB) {
			s := hosttest.New(t, pwd, notes)
			read(t, s, "notes.md")
			t.Error("the test's own words")
		}},
		{"a test that has failed already and left steps", true, func(t testing.TB) {
			s := hosttest.New(t, pwd, notes)
			run(t, s, "pwd")
			t.Error("the test's own words")
		}},
		{"a test that has failed and went as scripted", true, func(t testing.TB) {
			run(t, hosttest.New(t, pwd), "pwd")
			t.Error("the test's own words")
		}},
		{"a test that has failed and made no calls", true, func(t testing.TB) {
			hosttest.New(t)
			t.Error("the test's own words")
		}},
		{"a test that was skipped", false, func(t testing.TB) {
			hosttest.New(t, pwd)
			t.Skip()
		}},
		{"a session that can't be closed", true, func(t testing.TB) {
			s := hosttest.New(t)
			_ = s.AddDependency(closer{errors.New("it is stuck")})
		}},
		{"a call that hasn't returned", true, func(t testing.TB) {
			s := hosttest.New(t, respond(func(context.Context, host.Call) (any, error) { runtime.Goexit(); return nil, nil }), notes)
			inGoroutine(func() { run(t, s, "a") })
		}},
		{"a matcher that hasn't returned", true, func(t testing.TB) {
			s := hosttest.New(t, host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{}), Match: host.MatchFunc(
				func(host.Call) bool { runtime.Goexit(); return true })})
			inGoroutine(func() { run(t, s, "a") })
		}},
		{"many calls and steps", true, func(t testing.TB) {
			s := hosttest.New(t, make60()...)
			for range 55 {
				run(t, s, "pwd")
			}
			for range 5 {
				read(t, s, "x")
			}
		}},
		{"a call of a method that no step names", true, func(t testing.TB) {
			s := hosttest.New(t, pwd)
			_ = s.Rm(t.Context(), host.RmRequest{Path: "/", Recursive: true})
			run(t, s, "pwd")
		}},
		{"a call of a method that no step names may be allowed", false, func(t testing.TB) {
			s := hosttest.Config{AllowUnexpected: true}.New(t, pwd)
			_ = s.Rm(t.Context(), host.RmRequest{Path: "/"})
			run(t, s, "pwd")
		}},
		{"a step that can't be used", true, func(t testing.TB) {
			hosttest.New(t, pwd, host.Step{Method: host.MethodRead, Outcome: host.Return(7)})
			t.Error("the test went on")
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := watch(t.Context(), test.test)
			if r.failed != test.fails {
				t.Errorf("it failed: %v", r.failed)
			}
			wantGolden(t, test.name, r.out.String())
		})
	}
}

type closer struct{ err error }

func (c closer) Close() error { return c.err }

func inGoroutine(f func()) {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	<-done
}

func make60() []host.Step {
	var steps []host.Step
	for range 55 {
		steps = append(steps, host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})})
	}
	for range 25 {
		steps = append(steps, host.Step{Method: host.MethodLs, Outcome: host.Return([]host.FileEntry{})})
	}
	return steps
}

func TestWhatIsAllowedDoesntFailATest(t *testing.T) {
	test := func(c hosttest.Config) func(testing.TB) {
		return func(t testing.TB) {
			s := c.New(t, pwd, respond(func(context.Context, host.Call) (any, error) { panic("x") }), notes)
			read(t, s, "unexpected")
			run(t, s, "rejected")
			run(t, s, "pwd")
			run(t, s, "panics")
		}
	}
	all := hosttest.Config{AllowUnexpected: true, AllowUnused: true, AllowFailures: true}
	for name, c := range map[string]struct {
		config hosttest.Config
		text   string
	}{
		"all":           {all, ""},
		"no unexpected": {hosttest.Config{AllowUnused: true, AllowFailures: true}, "1 unexpected call, 1 rejected call\n"},
		"no unused":     {hosttest.Config{AllowUnexpected: true, AllowFailures: true}, "1 of 3 steps not used\n"},
		"no failures":   {hosttest.Config{AllowUnexpected: true, AllowUnused: true}, "1 failed call\n"},
	} {
		t.Run(name, func(t *testing.T) {
			r := watch(t.Context(), test(c.config))
			title, _, _ := strings.Cut(r.out.String(), "calls:")
			if want := "error: the session didn't go as scripted: " + c.text; r.failed != (c.text != "") || c.text != "" && title != want {
				t.Errorf("failed: %v, %q", r.failed, title)
			}
		})
	}
}

func TestTheSessionIsClosedWithTheTest(t *testing.T) {
	var s *host.Scripted
	var hook error
	watch(t.Context(), func(t testing.TB) {
		s = hosttest.Config{Session: []host.Option{host.WithManifest(host.Manifest{Root: "/r"})}}.New(t)
		_ = s.RegisterPreStopHook(func(ctx context.Context) error { hook = ctx.Err(); return nil })
	})
	if err := s.Start(t.Context()); err != host.ErrClosed || s.Manifest().Root != "/r" {
		t.Errorf("it starts with %v", err)
	}
	if hook != nil {
		t.Errorf("it is closed with a context that has ended: %v", hook)
	}
}

const script = `version: 1
manifest: {root: /r}
steps:
  - method: exec
    match: {args: [pwd]}
    result: {stdout: "/r\n"}
  - method: read
    result: "# Notes\n"
`

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("script.yaml", []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("bad.yaml", []byte("version: 1\nsteps: [{method: exce, result: {}}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("a script that is used", func(t *testing.T) {
		r := watch(t.Context(), func(t testing.TB) {
			s := hosttest.Load(t, ".")
			run(t, s, "pwd")
			read(t, s, "notes.md")
		})
		if r.failed || r.out.Len() > 0 {
			t.Errorf("%s", &r.out)
		}
	})
	t.Run("a script that isn't", func(t *testing.T) {
		r := watch(t.Context(), func(t testing.TB) {
			s := hosttest.Config{Session: []host.Option{host.WithSeed(7)}}.Load(t, "script.yaml")
			run(t, s, "ls")
		})
		got := r.out.String()
		for _, want := range []string{
			"script.yaml didn't go as scripted: 1 rejected call, 2 of 2 steps not used", "REJECTED by the matcher of step 1 (script.yaml:4)",
			"args[0]: expected \"pwd\", got \"ls\"", "step 2 (script.yaml:7): read",
		} {
			if !strings.Contains(got, want) {
				t.Errorf("%q isn't in\n%s", want, got)
			}
		}
	})
	for name, test := range map[string]struct{ path, want string }{
		"a file that doesn't exist":   {"missing.yaml", "missing.yaml"},
		"a script that can't be used": {"bad.yaml", "bad.yaml:2:"},
	} {
		t.Run(name, func(t *testing.T) {
			r := watch(t.Context(), func(t testing.TB) {
				hosttest.Load(t, filepath.Clean(test.path))
				t.Error("the test went on")
			})
			if !r.failed || !strings.Contains(r.out.String(), test.want) || strings.Contains(r.out.String(), "went on") {
				t.Errorf("failed: %v\n%s", r.failed, &r.out)
			}
		})
	}
}
