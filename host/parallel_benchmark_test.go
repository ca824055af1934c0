package host_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// parallelGuests are the languages of guests that sessions are measured with.
var parallelGuests = []string{"none", "c", "go"}

// BenchmarkParallelSessions makes sessions of one call, uses and closes them, as many at
// a time as there are cores: one, and all. Those with a guest share its compiled module.
func BenchmarkParallelSessions(b *testing.B) {
	for _, guest := range parallelGuests {
		b.Run(guest, func(b *testing.B) {
			steps := oneCall(b, guest)
			for _, cores := range slices.Compact([]int{1, runtime.NumCPU()}) {
				b.Run(fmt.Sprintf("cores=%d", cores), func(b *testing.B) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
					call := pwd(b)
					b.ReportAllocs()
					b.RunParallel(func(pb *testing.PB) {
						for pb.Next() {
							closeSession(b, usedOnce(b, steps, call))
						}
					})
					b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "sessions/s")
				})
			}
		})
	}
}

// BenchmarkIdleSession tells the memory of a session that has answered a call and may be
// asked for more: its own and that of its guest, which is on the heap as well.
func BenchmarkIdleSession(b *testing.B) {
	const measured = 32
	for _, guest := range parallelGuests {
		b.Run(guest, func(b *testing.B) {
			steps, call := oneCall(b, guest), pwd(b)
			var used int64
			for b.Loop() {
				var open []*host.Scripted
				for range 2 * runtime.GOMAXPROCS(0) { // these may get instances that others have left
					open = append(open, usedOnce(b, steps, call))
				}
				before := heapInUse()
				for range measured {
					open = append(open, usedOnce(b, steps, call))
				}
				used += heapInUse() - before
				for _, s := range open {
					closeSession(b, s)
				}
			}
			b.ReportMetric(0, "ns/op") // it is that of measuring
			b.ReportMetric(float64(used)/float64(b.N*measured), "idle-B/session")
		})
	}
}

// oneCall is the script of sessions with one call, which a guest answers, or none does.
func oneCall(b *testing.B, guest string) []host.Step {
	b.Helper()
	if guest == "none" {
		return []host.Step{{Method: host.MethodExec, Outcome: host.Return(host.ExecResult{})}}
	}
	module, err := host.Load(b.Context(), guest, kitchenWasm(b, guest))
	if err != nil {
		b.Fatal(err)
	}
	responder, err := module.Responder("setting")
	if err != nil {
		b.Fatal(err)
	}
	return []host.Step{{Method: host.MethodExec, Outcome: host.Respond(responder)}}
}

func usedOnce(b *testing.B, steps []host.Step, call func(*host.Scripted)) *host.Scripted {
	s, err := host.NewScripted(steps)
	if err != nil {
		b.Error(err)
		return nil
	}
	call(s)
	return s
}

func closeSession(b *testing.B, s *host.Scripted) {
	if err := s.Close(context.Background()); err != nil {
		b.Error(err)
	}
}

// heapInUse is what there is on the heap that isn't garbage, in bytes.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC() // collects what finalizers let go of
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return int64(memory.HeapAlloc)
}
