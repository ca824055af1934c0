package builtin

import (
	"context"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// maxGrowth is how much more memory the process may use while a program of a
	// library runs whose memory can't be bounded otherwise.
	maxGrowth = 1 << 30

	watchInterval = 10 * time.Millisecond

	errMemory = complaint("out of memory")
)

// watchMemory gives a context that ends when much more memory is used than now. It
// is the last resort: other work of the process is counted as well. Stop ends the
// watching, and says whether it was the reason for the end.
func watchMemory(parent context.Context) (ctx context.Context, stop func() bool) {
	ctx, cancel := context.WithCancelCause(parent)
	most := liveMemory() + maxGrowth
	var watching sync.WaitGroup
	watching.Go(func() {
		ticker := time.NewTicker(watchInterval)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				if liveMemory() > most {
					cancel(errMemory)
				}
			}
		}
	})
	return ctx, func() bool {
		cancel(nil)
		watching.Wait()
		return context.Cause(ctx) == errMemory
	}
}

// liveMemory is what the garbage collector left when it ran last.
func liveMemory() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
