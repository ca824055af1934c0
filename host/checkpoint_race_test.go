package host_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// While a session is closed it has a checkpoint with all its guests, or none.
func TestACheckpointIsWholeAlthoughItsSessionCloses(t *testing.T) {
	r, _ := newCountingRuntime(t)
	first, second := guestStep(t, r, "c", kitchenWasm(t, "c"), "count"), guestStep(t, r, "rust", kitchenWasm(t, "rust"), "count")
	kept := 0
	for range 400 {
		s, err := host.NewScripted([]host.Step{first, second, first, second})
		if err != nil {
			t.Fatal(err)
		}
		_ = perform(t, s, "a", "b")
		var group sync.WaitGroup
		group.Go(func() {
			if err := s.Close(context.Background()); err != nil {
				t.Error(err)
			}
		})
		c, err := s.Checkpoint(t.Context())
		group.Wait()
		if err != nil {
			if !errors.Is(err, host.ErrClosed) {
				t.Errorf("%v", err)
			}
			continue
		}
		kept++
		copied, err := c.NewSession()
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"c", "d"} {
			if result := execute(t, copied, command); result.ExitCode != 2 {
				t.Fatalf("after %d checkpoints: a guest has forgotten its call, and says %d", kept, result.ExitCode)
			}
		}
		if err := copied.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d checkpoints", kept)
}

// A checkpoint that is taken while a session starts and stops says of both the session
// and its workspace that they are started, or of none.
func TestACheckpointIsOfOneMomentOfAStart(t *testing.T) {
	for range 300 {
		s, err := host.NewScripted(nil, host.WithWorkspace(host.Workspace{}), host.WithManifest(host.Manifest{
			Entries: []host.ManifestEntry{{Path: "made", Content: []byte("x")}},
		}))
		if err != nil {
			t.Fatal(err)
		}
		var group sync.WaitGroup
		group.Go(func() {
			if err := s.Start(context.Background()); err != nil && err != host.ErrBusy {
				t.Error(err)
			}
		})
		c, err := s.Checkpoint(t.Context())
		group.Wait()
		if err != nil {
			wantCheckpointError(t, err, host.CheckpointBusy, "")
			continue
		}
		copied := fork(t, c)
		if _, made := tree(copied.Workspace())["made"]; made != copied.Running() {
			t.Errorf("it is running: %v, and its files are made: %v", copied.Running(), made)
		}
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
}
