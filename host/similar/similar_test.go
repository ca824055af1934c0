package similar

import (
	"slices"
	"strings"
	"testing"
)

func TestNamesThatMayBeMeantAreFound(t *testing.T) {
	known := []string{"status", "read", "write", "pty_exec_start", "pty_write_stdin"}
	for given, want := range map[string][]string{
		"stauts": {"status"}, "Read": {"read"}, "wrte": {"write"}, "reda": {"read"},
		"pty": {"pty_exec_start", "pty_write_stdin"}, "stdin": {"pty_write_stdin"},
		"": nil, "xy": nil, "delete": nil, strings.Repeat("x", 1000): nil,
	} {
		if got := Names(given, known); !slices.Equal(got, want) {
			t.Errorf("%.20q: got %q, want %q", given, got, want)
		}
	}
	if got := Names("status", nil); got != nil {
		t.Errorf("of nothing: %q", got)
	}
}
