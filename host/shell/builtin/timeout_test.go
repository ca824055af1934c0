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
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if out, err := run(ctx, "timeout 20 compute; echo $?"); out != "" || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("within a context that ends before, it says %q, %v", out, err)
		}
	})
}
