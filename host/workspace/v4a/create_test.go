package v4a_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace/v4a"
)

func TestCreate(t *testing.T) {
	for _, test := range []struct{ name, diff, want string }{
		{"S6.51: the end of the patch", "+a\n*** End Patch\nnonsense\n", "a"},
		{"S6.51: the next file", "+a\n*** Update File: b\n", "a"},
		{"S6.51: a file to delete", "+a\n*** Delete File: b\n", "a"},
		{"S6.51: a file to add", "*** Add File: b\n+a\n", ""},
		{"S6.52: an empty diff", "", ""},
		{"S6.52: lines", "+a\n+b\n", "a\nb"},
		{"S6.52: the last line has no end", "+a\n+b", "a\nb"},
		{"S6.52: a newline at the end", "+a\n+b\n+\n", "a\nb\n"},
		{"S6.52: a newline alone", "+\n+\n", "\n"},
		{"S6.52: an empty line alone is an empty text", "+\n", ""},
		{"S6.52: what comes after the plus is as it is", "+ a\n++b\n+@@ c\n", " a\n+b\n@@ c"},
		{"S6.49: CRLF", "+a\r\n+b\r\n", "a\r\nb"},
		{"S6.49: mixed newlines", "+a\n+b\r\n+c\n", "a\r\nb\r\nc"},
		{"S6.50: several carriage returns", "+a\r\r\n+b\r", "a\r\nb"},
	} {
		if got, err := v4a.Create(test.diff); err != nil || got != test.want {
			t.Errorf("%s: Create(%q) = %q, %v, want %q", test.name, test.diff, got, err, test.want)
		}
	}
}

func TestADiffThatDoesntOnlyAddCantCreate(t *testing.T) { // S6.51
	for _, r := range []refused{
		{"a line without a plus", "", "+a\nb\n", v4a.InvalidAddLine, 2, 0, "Invalid Add File Line: b"},
		{"a line to keep", "", " a\n", v4a.InvalidAddLine, 1, 0, "Invalid Add File Line:  a"},
		{"an empty line", "", "+a\n\n+b\n", v4a.InvalidAddLine, 2, 0, "Invalid Add File Line: "},
		{"a header", "", "@@\n+a\n", v4a.InvalidAddLine, 1, 0, "Invalid Add File Line: @@"},
		{"the end of the file", "", "+a\n" + endOfFile, v4a.InvalidAddLine, 2, 0, "Invalid Add File Line: *** End of File"},
	} {
		got, err := v4a.Create(r.diff)
		r.check(t, got, err)
	}
}
