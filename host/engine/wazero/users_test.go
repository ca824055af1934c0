package wazero_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/engine"
	"github.com/wasmsandbox/wasmsandbox/host/engine/wazero"
)

// Who closes an instance, or its engine, may do so while a call is in progress.
func TestInstancesAreClosedWhileTheirMemoryGrows(t *testing.T) {
	for name, config := range map[string]wazero.Config{"interruptible": {}, "uninterruptible": {Uninterruptible: true}} {
		t.Run(name, func(t *testing.T) {
			for i := range 8 {
				e := newEngine(t, config)
				in := instantiate(t, e, "unbounded")
				f, _ := in.Function("grow")
				started := make(chan struct{})
				var group sync.WaitGroup
				group.Go(func() { growUntilClosed(t, f, started) })
				<-started
				group.Go(func() {
					if err := in.Close(context.Background()); err != nil {
						t.Error(err)
					}
				})
				if i%2 == 0 {
					group.Go(func() {
						if err := e.Close(context.Background()); err != nil {
							t.Error(err)
						}
					})
				}
				group.Wait()
				if err := f.Call(context.Background(), []uint64{1}); !errors.Is(err, engine.ErrClosed) {
					t.Errorf("after all is closed a call ends with %v", err)
				}
				_ = e.Close(context.Background())
			}
		})
	}
}

// growUntilClosed calls a function that lets a memory grow.
func growUntilClosed(t *testing.T, f engine.Function, started chan<- struct{}) {
	for i := 0; ; i++ {
		err := f.Call(context.Background(), []uint64{16})
		if i == 4 {
			close(started)
		}
		if err != nil {
			if !errors.Is(err, engine.ErrClosed) {
				t.Error(err)
			}
			return
		}
	}
}
