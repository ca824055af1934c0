package host_test

import (
	"context"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// BenchmarkLimits is a session's call of the guest in C, with and without limits of fuel,
// and with a context that can be cancelled.
func BenchmarkLimits(b *testing.B) {
	steps := counting(b, kitchenC(b), 1000)
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, c := range []struct {
		name   string
		ctx    context.Context
		limits host.Limits
	}{
		{"none", context.Background(), host.Limits{}},
		{"cancellable", cancellable, host.Limits{}},
		{"fuel", context.Background(), host.Limits{CallFuel: 1 << 30, SessionFuel: 1 << 50}},
		{"fuel-cancellable", cancellable, host.Limits{CallFuel: 1 << 30, SessionFuel: 1 << 50}},
		{"time", context.Background(), host.Limits{CallTime: 1 << 40}},
	} {
		b.Run(c.name, func(b *testing.B) {
			request := host.ExecRequest{Command: []string{"x"}}
			b.ReportAllocs()
			for calls := 0; calls < b.N; {
				b.StopTimer()
				s, err := host.NewScripted(steps, host.WithLimits(c.limits))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := s.Exec(c.ctx, request); err != nil { // opens the guest
					b.Fatal(err)
				}
				b.StartTimer()
				for n := 1; n < len(steps) && calls < b.N; n++ {
					if _, err := s.Exec(c.ctx, request); err != nil {
						b.Fatal(err)
					}
					calls++
				}
				b.StopTimer()
				if err := s.Close(context.Background()); err != nil {
					b.Fatal(err)
				}
				b.StartTimer()
			}
		})
	}
}
