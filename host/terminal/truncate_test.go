package terminal_test

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host/terminal"
)

func TestTruncate(t *testing.T) {
	lines := strings.Repeat("0123456\n", 50) // 400 bytes
	for _, test := range []struct {
		rule, output string
		tokens       int
		want         string
		count        int // 0: it wasn't cut
	}{
		{"S7.9 it fits", "0123456789ab", 3, "0123456789ab", 0},
		{"S7.9 nothing fits", "", 0, "", 0},
		{"S7.9 a byte too much", "0123456789abc", 3, "…4 tokens ", 4},
		{"S7.9 the vector", strings.Repeat("0123456789", 4), 9, "01234…8 tokens truncated…456789", 10},
		{"S7.9 no tokens", "a", 0, "", 1},
		{"S7.9 less than none", "a", -1, "", 1},
		{"S7.9 more than can be", "a", math.MaxInt, "a", 0},
		{"S7.9 the mark is cut", lines, 1, "…1", 100},
		{"S7.9 but not within a character", lines, 0, "", 100},
		{"S7.9 only the mark", strings.Repeat("x", 400), 6, "…100 tokens truncated", 100},
		{"S7.9 lines are counted if there is room", lines, 13, "Total output lines: 50\n\n0…100 tokens truncated…\n", 100},
		{"S7.9 half of the room each", lines, 15, "Total output lines: 50\n\n01234…98 tokens truncated…3456\n", 100},
	} {
		t.Run(test.rule, func(t *testing.T) {
			got, count := terminal.Truncate([]byte(test.output), &test.tokens)
			if string(got) != test.want || (count == nil) != (test.count == 0) || count != nil && *count != test.count {
				t.Errorf("got %q, %v, want %q, %d", got, count, test.want, test.count)
			}
		})
	}
}

func TestTruncateWithoutALimit(t *testing.T) { // S7.9
	output := []byte("a\xff")
	if got, count := terminal.Truncate(output, nil); !bytes.Equal(got, output) || count != nil {
		t.Errorf("got %q, %v", got, count)
	}
}

func TestTruncateLeavesCharactersWhole(t *testing.T) { // S7.9
	for _, r := range []string{"é", "€", "😀"} {
		text := []byte(strings.Repeat(r, 100))
		for tokens := range len(text) / 4 {
			if got, _ := terminal.Truncate(text, &tokens); !utf8.Valid(got) {
				t.Errorf("%s to %d tokens: %q", r, tokens, got)
			}
		}
	}
}

// FuzzTruncate makes sure that nothing is longer than its budget.
func FuzzTruncate(f *testing.F) {
	f.Add([]byte(strings.Repeat("0123456789", 4)), 9)
	f.Add([]byte(strings.Repeat("€\r\n\xff\u2028", 40)), 15)
	f.Fuzz(func(t *testing.T, output []byte, tokens int) {
		got, count := terminal.Truncate(output, &tokens)
		if count == nil {
			if !bytes.Equal(got, output) {
				t.Errorf("%q became %q", output, got)
			}
			return
		}
		if len(got) > 4*max(tokens, 0) || *count != (len(output)+3)/4 || *count <= tokens {
			t.Errorf("%d bytes in %d tokens became %d bytes, count %d", len(output), tokens, len(got), *count)
		}
		if utf8.Valid(output) && !utf8.Valid(got) {
			t.Errorf("%q became %q", output, got)
		}
	})
}
