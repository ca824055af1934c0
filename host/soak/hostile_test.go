package soak

import (
	"context"
	"fmt"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// strict are limits that end all guests, and lenient those that end no call.
var (
	strict  = host.Limits{CallFuel: 300_000, CallDepth: 1000, MemoryBytes: 1 << 20, TableEntries: 1000}
	lenient = host.Limits{LogBytes: 64 << 10, BlobBytes: 1 << 20}
)

// hostileGuests are asked once.
var hostileGuests = []struct {
	name   string
	limits host.Limits
	want   error // nil: it is answered
}{
	{"trap_respond", strict, host.GuestTrap},
	{"trap_open", strict, host.GuestTrap},
	{"trap_buffer", strict, host.GuestTrap},
	{"exit_respond", strict, host.GuestExit},
	{"fail_respond", strict, host.GuestPanic},
	{"recurse_respond", strict, host.GuestTooDeep},
	{"recurse_large_frames", strict, host.GuestTooDeep},
	{"memory_bomb", strict, host.GuestOutOfMemory},
	{"loop_respond", strict, host.GuestOutOfFuel},
	{"loop_open", strict, host.GuestOutOfFuel},
	{"loop_grow", strict, host.GuestOutOfFuel},
	{"loop_table_grow", strict, host.GuestOutOfFuel},
	{"loop_log", strict, host.GuestOutOfFuel},
	{"reply_outside", strict, host.GuestBadPointer},
	{"reply_undecodable", strict, host.GuestBadReply},
	{"reply_blob_unknown", strict, host.GuestBadReply},
	{"buffer_none", strict, host.GuestLimit},
	{"blob_bomb_bytes", lenient, nil},
	{"blob_bomb_handles", lenient, nil},
	{"log_flood", lenient, nil},
}

// hostileKinds are sessions with guests that fail, or use all that they get.
func hostileKinds(ctx context.Context, r *host.Runtime) ([]kind, error) {
	var kinds []kind
	for _, h := range hostileGuests {
		step, err := hostileStep(ctx, r, h.name)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, kind{h.name, 1, func(ctx context.Context, _ int) (int64, error) {
			return converse(ctx, []host.Step{step}, func(s *host.Scripted) error {
				return ends(execs(ctx, s, 0, "x"), h.want)
			}, host.WithLimits(h.limits))
		}})
	}
	for _, name := range []string{"loop_respond", "loop_print"} {
		step, err := hostileStep(ctx, r, name)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, kind{name + ", interrupted", 1, func(ctx context.Context, _ int) (int64, error) {
			_, err := converse(ctx, []host.Step{step}, func(s *host.Scripted) error {
				ctx, cancel := context.WithTimeout(ctx, time.Millisecond)
				defer cancel()
				return ends(execs(ctx, s, 0, "x"), context.DeadlineExceeded)
			})
			return 0, err
		}})
	}
	return kinds, nil
}

func hostileStep(ctx context.Context, r *host.Runtime, name string) (host.Step, error) {
	m, err := load(ctx, r, name, hostiles+name+".wasm")
	if err != nil {
		return host.Step{}, fmt.Errorf("%s: %w", name, err)
	}
	return answeredBy(m, host.MethodExec, "r")
}
