package hosttest_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/hosttest"
)

// agent is what is tested: it wants to know where it is, and looks for notes.
func agent(ctx context.Context, session host.Session) string {
	here, err := session.Exec(ctx, host.ExecRequest{Command: []string{"pwd"}})
	if err != nil {
		return "I am lost."
	}
	if _, err := session.Read(ctx, host.ReadRequest{Path: "notes.md"}); err != nil {
		return "No notes in " + strings.TrimSpace(string(here.Stdout)) + "."
	}
	return "There are notes."
}

func Example() {
	test := func(t testing.TB) {
		session := hosttest.New(t,
			host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{Stdout: []byte("/workspace\n")})},
			host.Step{Method: host.MethodRead, Outcome: host.Fail(host.NewSandboxError(host.CodeWorkspaceReadNotFound, nil, nil))},
		)
		fmt.Println(agent(t.Context(), session))
	}
	runExample(test)
	// Output:
	// No notes in /workspace.
	// PASS
}

// The agent reads before it is expected to, and goes on as if nothing had
// happened: the test fails all the same, and tells what came instead of what.
func Example_unexpected() {
	test := func(t testing.TB) {
		session := hosttest.New(t,
			host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{Stdout: []byte("/workspace\n")})},
			host.Step{Method: host.MethodLs, Outcome: host.Return([]host.FileEntry{})},
			host.Step{Method: host.MethodRead, Outcome: host.Return("# Notes\n")},
		)
		fmt.Println(agent(t.Context(), session))
	}
	runExample(test)
	// Output:
	// No notes in /workspace.
	// the session didn't go as scripted: 1 unexpected call, 2 of 3 steps not used
	// calls:
	//   #1  exec "pwd"       -> step 1, result
	//   #2  read "notes.md"  -> UNEXPECTED: step 2 is for ls
	// steps left:
	//   step 2: ls
	//   step 3: read
	// FAIL
}

func ExampleConfig() {
	test := func(t testing.TB) {
		lenient := hosttest.Config{
			Session:         []host.Option{host.WithManifest(host.Manifest{Root: "/home/agent"})},
			AllowUnexpected: true,
		}
		session := lenient.New(t, host.Step{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})})
		for range 3 {
			_, err := session.Exec(t.Context(), host.ExecRequest{Command: []string{"true"}})
			fmt.Println(err)
		}
	}
	runExample(test)
	// Output:
	// <nil>
	// unexpected sandbox exec call #2: no steps are left in the script
	// unexpected sandbox exec call #3: no steps are left in the script
	// PASS
}

// runExample stands for go test: it prints what a test reports.
func runExample(test func(t testing.TB)) {
	r := watch(context.Background(), test)
	fmt.Print(strings.ReplaceAll(r.out.String(), "error: ", ""))
	if r.failed {
		fmt.Println("FAIL")
	} else {
		fmt.Println("PASS")
	}
}
