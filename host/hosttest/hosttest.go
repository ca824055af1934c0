// Package hosttest makes scripted sessions for tests. A session closes itself
// when its test ends, and fails the test if not all went as scripted:
//
//	func TestAgent(t *testing.T) {
//		session := hosttest.New(t,
//			host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{Stdout: []byte("/workspace\n")})},
//		)
//		runMyAgent(t.Context(), session)
//	}
//
// [Load] takes the script from a file. [Config] has options for both, among them
// those that allow what fails a test otherwise.
//
// What fails a test:
//
//   - a step that no call used
//   - a call that the script didn't expect, or that a matcher rejected, even if
//     the agent went on and used all steps after it; a call of a method that no
//     step names is one, too
//   - a guest that couldn't answer, and a matcher or responder in Go that panicked
//     or answered with a value of another type
//   - a call that hasn't returned when the test ends
//   - a session that can't be closed
//
// A session with a workspace is started, so that what its manifest says is there.
//
// The report shows each call with its arguments, the step that it used, and what
// was expected instead; what guests logged; and the steps that are left. Contents
// are cut. A test that has failed already gets a shorter report, as a log, also if the
// session went as scripted.
//
// A guest that never answers holds its call up as long as the call's context
// lasts: give contexts a timeout where that can happen.
package hosttest

import (
	"context"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// New makes a session of steps, for as long as the test lasts. Steps that can't
// be used end the test.
func New(t testing.TB, steps ...host.Step) *host.Scripted {
	t.Helper()
	return Config{}.New(t, steps...)
}

// Load makes a session of a script, in a file or a folder as for [scripts.Load], for
// as long as the test lasts. A script that can't be used ends the test.
func Load(t testing.TB, path string) *host.Scripted {
	t.Helper()
	return Config{}.Load(t, path)
}

// A Config makes sessions that differ from those of New and Load. Its zero value
// makes the same.
type Config struct {
	// Session are options of the session, such as host.WithManifest.
	Session []host.Option

	// Script are options of Load, such as scripts.ForbidBuild.
	Script []scripts.Option

	// AllowUnexpected lets a test pass that made calls that the script didn't
	// expect, that a matcher rejected, or of a method that no step names.
	AllowUnexpected bool

	// AllowUnused lets a test pass that didn't use all steps.
	AllowUnused bool

	// AllowFailures lets a test pass in which a guest couldn't answer, or a
	// matcher or responder in Go panicked or answered with another type.
	AllowFailures bool
}

// New is the func New with the options of the configuration.
func (c Config) New(t testing.TB, steps ...host.Step) *host.Scripted {
	t.Helper()
	session, err := host.NewScripted(steps, c.Session...)
	if err != nil {
		t.Fatalf("hosttest: %v%s", err, because(err))
	}
	return c.watch(t, session, "")
}

// Load is the func Load with the options of the configuration.
func (c Config) Load(t testing.TB, path string) *host.Scripted {
	t.Helper()
	script, err := scripts.Load(t.Context(), path, c.Script...)
	if err != nil {
		t.Fatalf("hosttest: the script can't be used:\n%v", err)
	}
	session, err := script.NewSession(c.Session...)
	if err != nil {
		t.Fatalf("hosttest: %s: %v%s", script.File, err, because(err))
	}
	return c.watch(t, session, script.File)
}

// closeTimeout is how long a guest that is still working when the test ends may
// hold up its session.
const closeTimeout = 10 * time.Second

// watch closes the session at the end of the test, and tells what went wrong.
func (c Config) watch(t testing.TB, session *host.Scripted, script string) *host.Scripted {
	t.Helper()
	t.Cleanup(func() {
		t.Helper()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), closeTimeout)
		defer cancel()
		err := session.Close(ctx)
		if t.Skipped() {
			return
		}
		r := report{
			script: script, records: session.History(), pending: session.PendingSteps(), refused: session.Refused(), closing: err,
		}
		problems := c.problems(&r)
		switch {
		case t.Failed() && (len(problems) > 0 || len(r.records) > 0):
			t.Log(r.short(problems))
		case len(problems) > 0:
			t.Error(r.long(problems))
		}
	})
	if session.Workspace() != nil {
		if err := session.Start(t.Context()); err != nil {
			t.Fatalf("hosttest: the workspace can't be made: %v%s", err, because(err))
		}
	}
	return session
}
