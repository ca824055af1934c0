package host_test

import (
	"context"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// BenchmarkInterruption tells how long after the end of its context the call of an
// endless guest returns, on average and at worst.
func BenchmarkInterruption(b *testing.B) {
	for _, c := range endlessWork {
		b.Run(c.guest, func(b *testing.B) {
			module, err := host.Load(b.Context(), c.guest, hostileWasm(b, c.guest))
			if err != nil {
				b.Fatal(err)
			}
			r, err := module.Responder("r")
			if err != nil {
				b.Fatal(err)
			}
			var total, worst time.Duration
			for b.Loop() {
				late := interrupt(b, r, 50*time.Millisecond)
				total += late
				worst = max(worst, late)
			}
			b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), "ms-late")
			b.ReportMetric(float64(worst.Microseconds())/1000, "ms-latest")
		})
	}
}

// interrupt gives how late a call returns.
func interrupt(b *testing.B, r host.Responder, after time.Duration) time.Duration {
	b.Helper()
	s := newSession(b, []host.Step{{Method: host.MethodExec, Outcome: host.Respond(r)}})
	ctx, cancel := context.WithTimeout(b.Context(), after)
	defer cancel()
	if _, err := s.Exec(ctx, host.ExecRequest{}); err == nil {
		b.Fatal("it isn't endless")
	}
	end, _ := ctx.Deadline()
	return time.Since(end)
}
