package host_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

var hostileReplies = []hostileCase{
	// Where they are.
	{guest: "reply_outside", kind: host.GuestBadPointer, text: "reply"},
	{guest: "reply_end_overflows", kind: host.GuestBadPointer, text: "reply"},
	{guest: "reply_straddles_end", kind: host.GuestBadPointer, text: "reply"},
	{guest: "reply_none_outside", kind: host.GuestBadPointer, text: "reply"},
	{guest: "reply_nan", kind: host.GuestBadPointer, text: "reply"},
	{guest: "reply_longest", kind: host.GuestLimit, text: "longer", fate: lives},
	{guest: "reply_over_limit", kind: host.GuestLimit, text: "longer", fate: lives},

	// What they are.
	{guest: "reply_none", kind: host.GuestBadReply},
	{guest: "reply_longer_than_it_is", kind: host.GuestBadReply},
	{guest: "reply_shorter_than_it_is", kind: host.GuestBadReply},
	{guest: "reply_undecodable", kind: host.GuestBadReply},
	{guest: "reply_varint_too_long", kind: host.GuestBadReply},
	{guest: "reply_group", kind: host.GuestBadReply},
	{guest: "reply_length_past_the_end", kind: host.GuestBadReply},
	{guest: "reply_nested", kind: host.GuestBadReply, text: "deep"},
	{guest: "reply_many_messages", kind: host.GuestBadReply},
	{guest: "reply_unknown_kind", kind: host.GuestBadReply},
	{guest: "reply_verdict", kind: host.GuestBadReply, text: "isn't an outcome"},
	{guest: "reply_description", kind: host.GuestBadReply, text: "isn't an outcome"},
	{guest: "reply_done", kind: host.GuestBadReply, text: "isn't an outcome"},
	{guest: "reply_of_other_method", kind: host.GuestBadReply, text: "exec"},
	{guest: "reply_empty_outcome", kind: host.GuestBadReply},
	{guest: "reply_unknown_outcome", kind: host.GuestBadReply},
	{guest: "reply_exit_code_range", kind: host.GuestBadReply},
	{guest: "reply_inline_too_long", kind: host.GuestBadReply, text: "blob"},
	{guest: "reply_blob_unknown", kind: host.GuestBadReply, text: "doesn't exist"},
	{guest: "reply_blob_zero", kind: host.GuestBadReply, text: "doesn't exist"},
	{guest: "reply_blob_size", kind: host.GuestBadReply, text: "size"},
	{guest: "reply_blob_huge", kind: host.GuestBadReply, text: "size"},
	{guest: "reply_blob_digest", kind: host.GuestBadReply, text: "digest"},
	{guest: "reply_blob_digest_short", kind: host.GuestBadReply},
	{guest: "reply_sandbox_error_no_code", kind: host.GuestBadReply},
	{guest: "reply_sandbox_error_not_text", kind: host.GuestBadReply},
	{guest: "poisoned", kind: host.GuestBadReply},

	// What they say.
	{guest: "reply_error_unknown_kind", kind: host.GuestBadReply},
	{guest: "reply_error_not_text", kind: host.GuestBadReply},
	{guest: "reply_error_bad_config", kind: host.GuestBadConfig, text: "late"},
	{guest: "reply_error_failed", kind: host.GuestFailed, text: "luck", fate: lives},
	{guest: "reply_error_unknown_handler", kind: host.GuestRefused, fate: lives},
}

func TestHostileRepliesFailOnlyTheirCall(t *testing.T) {
	runHostile(t, hostileReplies, (*hostileCase).respond)
}

var hostileVerdicts = []hostileCase{
	{guest: "match_outcome", kind: host.GuestBadReply, text: "isn't a verdict"},
	{guest: "match_done", kind: host.GuestBadReply, text: "isn't a verdict"},
	{guest: "match_unknown_answer", kind: host.GuestBadReply},
	{guest: "match_reason_not_text", kind: host.GuestBadReply},
	{guest: "match_outside", kind: host.GuestBadPointer},
	{guest: "match_none", kind: host.GuestBadReply},
	{guest: "match_error", kind: host.GuestFailed, text: "no luck", fate: lives},
	{guest: "trap_match", kind: host.GuestTrap, text: "unreachable"},
	{guest: "exit_match", kind: host.GuestExit},
	{guest: "fail_match", kind: host.GuestPanic, text: "kaboom"},
	{guest: "fail_in_match_trap", kind: host.GuestPanic, text: "kaboom"},
	{guest: "recurse_match", kind: host.GuestTooDeep, text: "stack"},
	{guest: "loop_match", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
	{guest: "loop_log_match", kind: host.GuestInterrupted, endless: true, needs: "fuel"},
}

func TestHostileMatchers(t *testing.T) { runHostile(t, hostileVerdicts, (*hostileCase).match) }

// hostileBeginnings fail before a matcher or responder is called.
var hostileBeginnings = []hostileCase{
	{guest: "buffer_none", kind: host.GuestLimit, export: abi.ExportBuffer, text: "input buffer", fate: anew},
	{guest: "buffer_outside", kind: host.GuestBadPointer, export: abi.ExportBuffer, text: "input buffer"},
	{guest: "buffer_end_overflows", kind: host.GuestBadPointer, export: abi.ExportBuffer, text: "input buffer"},
	{guest: "buffer_straddles_end", kind: host.GuestBadPointer, export: abi.ExportBuffer, text: "input buffer"},
	{guest: "trap_buffer", kind: host.GuestTrap, export: abi.ExportBuffer, text: "unreachable"},
	{guest: "exit_buffer", kind: host.GuestExit, export: abi.ExportBuffer},
	{guest: "fail_buffer", kind: host.GuestPanic, export: abi.ExportBuffer, text: "kaboom"},
	{guest: "loop_buffer", kind: host.GuestInterrupted, export: abi.ExportBuffer, fate: anew, endless: true, needs: "fuel"},
	{guest: "buffer_then_none", kind: host.GuestLimit, export: abi.ExportBuffer, fate: lives, second: true},
	{guest: "buffer_then_outside", kind: host.GuestBadPointer, export: abi.ExportBuffer, second: true},
	{guest: "buffer_then_trap", kind: host.GuestTrap, export: abi.ExportBuffer, second: true},
	{guest: "buffer_over_the_replies", kind: host.GuestBadReply, export: abi.ExportOpen},

	{guest: "open_outcome", kind: host.GuestBadReply, export: abi.ExportOpen, text: "isn't done"},
	{guest: "open_bad_config", kind: host.GuestBadConfig, export: abi.ExportOpen, text: "no branch"},
	{guest: "open_failed", kind: host.GuestFailed, export: abi.ExportOpen, text: "not yet", fate: anew},
	{guest: "open_outside", kind: host.GuestBadPointer, export: abi.ExportOpen},
	{guest: "open_over_limit", kind: host.GuestLimit, export: abi.ExportOpen, fate: anew},
	{guest: "trap_open", kind: host.GuestTrap, export: abi.ExportOpen, text: "unreachable"},
	{guest: "exit_open", kind: host.GuestExit, export: abi.ExportOpen},
	{guest: "fail_open", kind: host.GuestPanic, export: abi.ExportOpen, text: "kaboom"},
	{guest: "recurse_open", kind: host.GuestTooDeep, export: abi.ExportOpen, text: "stack"},
	{guest: "loop_open", kind: host.GuestInterrupted, export: abi.ExportOpen, fate: anew, endless: true, needs: "fuel"},

	{guest: "two_faces_trap", kind: host.GuestTrap, export: abi.ExportInitialize, text: "unreachable"},
	{guest: "two_faces_loop", kind: host.GuestInterrupted, export: abi.ExportInitialize, fate: anew, endless: true, needs: "fuel"},
	{guest: "two_faces_burn", kind: host.GuestTrap, export: "start", text: "unreachable"},
	{guest: "two_faces_start", kind: host.GuestInterrupted, export: "start", fate: anew, endless: true, needs: "fuel"},
	{guest: "two_faces_version", kind: host.GuestBadVersion, export: abi.ExportVersion, text: "1.7"},
}

func TestHostileBeginningsFailTheFirstCall(t *testing.T) {
	runHostile(t, hostileBeginnings, func(c *hostileCase, t *testing.T, w *hostileWorld) {
		c.match(t, w)
		c.respond(t, w)
	})
}
