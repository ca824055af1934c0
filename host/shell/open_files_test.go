package shell_test

import (
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
	inOurs(t, []string{"bash", "-c", "echo a | cat"}) // opens what stays open in the process
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

// A shell that waits for somebody to type may wait for long, and there may be many.
func TestAShellThatWaitsForInputHoldsNoDescriptors(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	inOurs(t, []string{"bash", "-c", "echo a | cat"})
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
