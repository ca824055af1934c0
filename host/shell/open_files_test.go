package shell_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

// No file that a script opened stays open: what it has removed takes no room, and
// the host gets its descriptors back without the garbage collector.
func TestRunsCloseWhatTheyOpened(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	inOurs(t, []string{"bash", "-c", "echo a | cat"}, "") // opens what stays open in the process
	for _, script := range language {
		before := descriptors(t)
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools())}
		if r := run(t.Context(), s, "", "bash", "-c", script, "name", "first", "second arg"); r.err != nil {
			t.Errorf("%s: %v", script, r.err)
		}
		s.Files.Clear()
		if bytes, files := s.Files.Usage(); bytes != 0 || files != 0 {
			t.Errorf("%s: %d bytes and %d files are still open", script, bytes, files)
		}
		after := descriptors(t)
		for range 100 { // the interpreter's writers of documents end on their own
			if after <= before {
				break
			}
			time.Sleep(time.Millisecond)
			after = descriptors(t)
		}
		if after > before {
			t.Errorf("%s: %d descriptors were open, and now %d", script, before, after)
		}
	}
}

func descriptors(t *testing.T) int {
	if runtime.GOOS != "linux" {
		return 0
	}
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// What a script reads takes none of the host's descriptors, however often exec makes it the
// input, but for here-documents.
func TestRedirectionsHoldNoDescriptors(t *testing.T) {
	tools := map[string]shell.Tool{"held": func(_ context.Context, p shell.Process) (int, error) {
		_, err := fmt.Fprintln(p.Stdout, descriptors(t))
		return 0, err
	}}
	for _, script := range []string{
		`echo a > f; for ((i=0;i<100;i++)); do exec < f; done; held`, `f() { [ $1 = 0 ] && held || f $(($1-1)) < /dev/zero; }; f 20`,
		`echo a | held`, `echo a | { { { held; } < /dev/fd/0; } < /dev/urandom; }`, `exec < /dev/null; sh -c held`,
	} {
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(tools, builtin.Tools())}
		want := fmt.Sprintln(descriptors(t))
		if r := run(t.Context(), s, "", "bash", "-c", script); r.err != nil || r.stdout != want {
			t.Errorf("%s: got %+v, want %q", script, r, want)
		}
	}
}

// An input that exec has replaced is held by nothing, once the garbage is collected.
func TestInputsThatExecReplacesAreForgotten(t *testing.T) {
	const each, times = 4 << 20, 40
	tools := map[string]shell.Tool{
		"fill": func(_ context.Context, p shell.Process) (int, error) {
			return 0, p.Files.WriteFile("/workspace/f", make([]byte, each), 0)
		},
		"held": func(context.Context, shell.Process) (int, error) {
			for range 1000 { // cleanups run on their own
				runtime.GC()
				var m runtime.MemStats
				if runtime.ReadMemStats(&m); m.HeapAlloc < each*times/2 {
					return 0, nil
				}
				time.Sleep(time.Millisecond)
			}
			return 1, nil
		},
	}
	s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(tools)}
	if r := run(t.Context(), s, "", "bash", "-c", fmt.Sprintf(`for ((i=0;i<%d;i++)); do fill; exec < f; done; held`, times)); r != (result{}) {
		t.Errorf("got %+v", r)
	}
}

func TestHereDocumentsThatStayOpenHaveALimit(t *testing.T) {
	const script = "for ((i=0;i<%d;i++)); do\nexec <<X\nline $i\nX\ndone\nread x; echo $x"
	if r := run(t.Context(), newShell(t), "", "bash", "-c", fmt.Sprintf(script, 60)); r.err != nil || r.stdout != "line 59\n" {
		t.Errorf("got %+v", r)
	}
	var limit *shell.LimitError
	if r := run(t.Context(), newShell(t), "", "bash", "-c", fmt.Sprintf(script, 100)); !errors.As(r.err, &limit) || limit.Limit != "open" {
		t.Errorf("got %+v", r)
	}
}

// A shell that waits for somebody to type may wait for long, and there may be many.
func TestAShellThatWaitsForInputHoldsNoDescriptors(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	inOurs(t, []string{"bash", "-c", "echo a | cat"}, "")
	before := descriptors(t)
	typed, typing := io.Pipe()
	var ends sync.WaitGroup
	const shells = 20
	reads := make(chan struct{}, shells)
	for range shells {
		ends.Go(func() {
			s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools())}
			_, err := s.Run(t.Context(), shell.Process{Args: []string{"sh", "-c", "read x; cat"}, Stdin: &announced{typed, reads}, Terminal: true})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range shells {
		<-reads
	}
	if after := descriptors(t); after > before {
		t.Errorf("%d descriptors were open, and now %d", before, after)
	}
	if err := typing.Close(); err != nil {
		t.Error(err)
	}
	ends.Wait()
}

// An announced reader says when it is first read.
type announced struct {
	io.Reader
	reads chan<- struct{}
}

func (a *announced) Read(p []byte) (int, error) {
	if a.reads != nil {
		a.reads <- struct{}{}
		a.reads = nil
	}
	return a.Reader.Read(p)
}
