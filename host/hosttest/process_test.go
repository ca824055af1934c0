package hosttest_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/hosttest"
)

const childEnv = "WASMSANDBOX_HOSTTEST_CHILD"

// TestInAProcessOfItsOwn runs itself, to see what go test makes of a report: it
// is below the test's name, and at the line that made the session.
func TestInAProcessOfItsOwn(t *testing.T) {
	if os.Getenv(childEnv) != "" {
		child(t)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(exe, "-test.run=^TestInAProcessOfItsOwn$")
	command.Env = append(os.Environ(), childEnv+"=1")
	out, err := command.CombinedOutput()
	if err == nil {
		t.Errorf("it passes:\n%s", out)
	}
	for _, want := range []string{
		"--- FAIL: TestInAProcessOfItsOwn/steps_left",
		fmt.Sprintf("process_test.go:%d: the session didn't go as scripted: 1 of 1 step not used\n", madeAt(t)),
		"\n              step 1 (script.yaml:9): read\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("%q isn't in\n%s", want, out)
		}
	}
}

func child(t *testing.T) {
	t.Run("steps left", func(t *testing.T) {
		hosttest.New(t, notes) // madeAt
	})
}

// madeAt is the line where child makes its session.
func madeAt(t *testing.T) int {
	source, err := os.ReadFile("process_test.go")
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(source), " // madeAt")
	return strings.Count(before, "\n") + 1
}
