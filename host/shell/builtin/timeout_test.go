package builtin_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

func TestACommandThatComputesForEverIsEndedByTimeout(t *testing.T) {
	files := newTree(t)
	tools := maps.Clone(builtin.Tools())
	tools["compute"] = func(ctx context.Context, _ shell.Process) (int, error) {
		<-ctx.Done()
		return 1, context.Cause(ctx)
	}
	run := func(ctx context.Context, script string) (string, error) {
		s := &shell.Shell{Files: files, Lookup: shell.Tools(tools)}
		var out bytes.Buffer
		_, err := s.Run(ctx, shell.Process{Args: []string{"bash", "-c", script}, Stdout: &out, Stderr: &out})
		return out.String(), err
	}
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		out, err := run(t.Context(), "timeout 1 compute; echo $?; timeout 30 compute; echo $?; timeout 5 timeout 40 compute; echo $?")
		if out != "124\n124\n124\n" || err != nil {
			t.Errorf("it says %q, %v", out, err)
		}
		if waited := time.Since(began); waited != 50*time.Second {
			t.Errorf("it took %v", waited)
		}
		for script, want := range map[string]string{
			"timeout 1 sh -c 'compute; echo no'; echo $?":                                                     "124\n",
			"timeout 1 bash -c 'x=$(compute); (compute); echo no'; echo $?":                                   "124\n",
			"timeout 1 sh -c 'echo a | compute | cat; echo no' | cat; echo ${PIPESTATUS[0]}; echo b | tr b c": "124\nc\n",
			"timeout 9 xargs -n1 sh -c 'time compute; echo no' <<< a; echo $?":                                "124\n",
			"echo 'compute; echo no' > s; timeout 1 sh s; chmod +x s; timeout 1 ./s; echo $?":                 "124\n",
		} {
			if out, err := run(t.Context(), script); out != want || err != nil {
				t.Errorf("%s: it says %q, %v", script, out, err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if out, err := run(ctx, "timeout 20 compute; echo $?"); out != "" || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("within a context that ends before, it says %q, %v", out, err)
		}
	})
}
