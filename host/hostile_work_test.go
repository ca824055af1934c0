package host_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// hostileWork fails while it responds, and not with its reply.
var hostileWork = []hostileCase{
	{guest: "trap_respond", kind: host.GuestTrap, text: "unreachable"},
	{guest: "trap_divide", kind: host.GuestTrap, text: "divide by zero"},
	{guest: "trap_out_of_bounds", kind: host.GuestTrap, text: "out of bounds"},
	{guest: "trap_nan_to_integer", kind: host.GuestTrap, text: "conversion"},
	{guest: "trap_indirect_type", kind: host.GuestTrap, text: "indirect call"},
	{guest: "trap_after_poisoning", kind: host.GuestTrap, text: "unreachable"},
	{guest: "memory_bomb", kind: host.GuestOutOfMemory, text: "unreachable", needs: "memory"},
	{guest: "table_needed", kind: host.GuestOutOfMemory, text: "a table of 1048601 entries, and may have 1048576 (limits.table)", needs: "table"},
	{guest: "exit_respond", kind: host.GuestExit},

	{guest: "fail_respond", kind: host.GuestPanic, text: "kaboom"},
	{guest: "fail_then_exit", kind: host.GuestPanic, text: "kaboom"},
	{guest: "fail_not_text", kind: host.GuestPanic, text: "\uFFFD kaboom"},
	{guest: "fail_undecodable", kind: host.GuestPanic, text: "can't be decoded"},
	{guest: "fail_outside", kind: host.GuestPanic},
	{guest: "fail_too_long", kind: host.GuestPanic, text: "too long"},
	{guest: "fail_with_nothing", kind: host.GuestPanic},

	{guest: "recurse_respond", kind: host.GuestTooDeep, text: "stack"},
	{guest: "recurse_indirect", kind: host.GuestTooDeep, text: "stack"},
	{guest: "recurse_large_frames", kind: host.GuestTooDeep, text: "stack"},

	{guest: "blob_of_open", kind: host.GuestBadReply, text: "doesn't exist"},
}

func TestHostileWorkFailsOnlyItsCall(t *testing.T) {
	runHostile(t, hostileWork, (*hostileCase).respond)
}

// endlessWork ends with its context only.
var endlessWork = []hostileCase{
	{guest: "loop_respond", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_calls", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_recursion", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_br_table", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_grow", kind: host.GuestInterrupted, text: "its time was over", endless: true, needs: "fuel, memory"},
	{guest: "loop_table_grow", kind: host.GuestInterrupted, endless: true, needs: "fuel, table"},
	{guest: "loop_fill", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_copy", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_log", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_fail", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_random", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_print", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_sleep", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_yield", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_blob_new", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_blob_read", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_blob_write", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_poll", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_read", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
}

func TestEndlessWork(t *testing.T) { runHostile(t, endlessWork, (*hostileCase).respond) }

// A guest whose memory is growing when its time is over isn't told that there is no more.
func TestAMemoryThatGrowsEndsWithItsContext(t *testing.T) {
	grows := hostileCase{guest: "memory_bomb", kind: host.GuestInterrupted, text: "its time was over", endless: true}
	grows.respond(t, newHostileWorld(t))
}
