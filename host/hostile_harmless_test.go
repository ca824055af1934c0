package host_test

import (
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// harmlessGuests are strange, but do nothing that the ABI forbids: they match, answer
// and close. Those that try what the host has to turn down trap if it doesn't.
var harmlessGuests = []string{
	"honest",
	"reply_at_the_end", "reply_at_zero", "reply_over_the_message", "reply_in_new_memory", "reply_denormal",
	"reply_fields_twice", "reply_unknown_fields", "reply_long_varints", "reply_stderr_not_text",
	"buffer_at_the_end", "buffer_unaligned", "buffer_of_new_memory",
	"imports_bad_pointers", "imports_bad_arguments",
	"blob_unknown_handles", "blob_of_an_earlier_call", "blob_bomb_handles", "blob_bomb_bytes",
	"log_flood", "log_not_text", "log_when_described",
	"wasi_no_files", "wasi_bad_pointers", "wasi_print_flood", "wasi_write_at_start",
	"export_no_close", "export_memory_twice", "export_versions", "export_names",
	"memory_largest", "table_bomb",
	"element_outside", // wazero leaves such elements out, where the specification has a trap
}

// statefulGuests answer what they have become. The tests of package soak put them back
// and copy them, on all engines.
var statefulGuests = []string{"state_numbers", "state_tables", "state_by_chance"}

func TestHarmlessGuests(t *testing.T) {
	w := newHostileWorld(t)
	for _, guest := range harmlessGuests {
		t.Run(guest, func(t *testing.T) {
			w.checkHarmless(t, guest,
				host.ExecRequest{Command: []string{"x"}},
				host.ExecRequest{Command: []string{strings.Repeat("x", 10_000)}},
				host.ExecRequest{Command: []string{"\xff\xfe\x1b"}})
		})
	}
}

// What guests say is kept within the limits, and is text.
func TestWhatHostileGuestsSayIsBounded(t *testing.T) {
	w := newHostileWorld(t)
	for _, guest := range []string{"log_flood", "log_not_text", "wasi_print_flood"} {
		t.Run(guest, func(t *testing.T) {
			_, r := w.handlers(t, guest)
			s := w.session(t, host.Step{Method: host.MethodExec, Outcome: host.Respond(r)})
			if _, err := s.Exec(t.Context(), host.ExecRequest{}); err != nil {
				t.Fatal(err)
			}
			size, dropped := 0, 0
			for _, entry := range s.History()[0].Logs {
				size += len(entry.Text)
				dropped += entry.Dropped
				if strings.ToValidUTF8(entry.Text, "") != entry.Text {
					t.Errorf("a log that is no text: %q", entry.Text)
				}
			}
			if size == 0 || size > 2*64<<10 || dropped == 0 != (guest == "log_not_text") {
				t.Errorf("%d bytes are kept, %d dropped", size, dropped)
			}
		})
	}
}
