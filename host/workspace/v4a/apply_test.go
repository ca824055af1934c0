package v4a_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace/v4a"
)

const (
	endOfFile  = "*** End of File\n"
	endOfPatch = "*** End Patch\n"
)

// An applied is a diff that can be applied.
type applied struct{ name, input, diff, want string }

func (a applied) test(t *testing.T) {
	t.Helper()
	got, err := v4a.Apply(t.Context(), a.input, a.diff)
	if err != nil || got != a.want {
		t.Errorf("%s: Apply(%q, %q) = %q, %v, want %q", a.name, a.input, a.diff, got, err, a.want)
	}
}

// The vectors of the original.
func TestVectors(t *testing.T) {
	for _, a := range []applied{
		{"a line to add at the start", "a\nb\n", "+x", "x\na\nb\n"},
		{"a header that is found", "a\nb\n", "@@ a\n+x", "a\nx\nb\n"},
		{"a header that isn't", "a\nb\n", "@@ zzz\n+x", "x\na\nb\n"},
		{"a header of a line that repeats", "a\na\na\n", "@@ a\n-a\n+b", "a\nb\na\n"},
		{"white space at the end", "a  \nb", "-a\n+x", "x\nb"},
		{"white space at the start", "  a\nb", "-a\n+x", "x\nb"},
		{"CRLF", "a\r\nb\r\n", "-b\n+c", "a\r\nc\r\n"},
		{"mixed newlines", "a\nb\r\nc", "-c\n+d", "a\r\nb\r\nd"},
		{"a header that is behind", "x\na\ny\na\n", "-y\n+Y\n@@ a\n+z", "x\na\nY\nz\na\n"},
		{"several changes in a hunk", "a\nb\nc\n", "+1\n-a\n+2\n b\n-c", "1\n2\nb\n"},
		{"an empty text", "", "+x", "x\n"},
		{"the end of the file", "a\nb\n", "-b\n+c\n" + endOfFile, "a\nc\n"},
	} {
		a.test(t)
	}
	refused{"two headers", "a\nb\n", "@@ a\n@@ zzz\n+x", v4a.InvalidAnchor, 2, 1, "Invalid Anchor 1:\nzzz"}.test(t)
	refused{"a bare header counts", "a\nb\n", "@@ zzz\n@@\n+x", v4a.InvalidAnchor, 1, 0, "Invalid Anchor 0:\nzzz"}.test(t)
}

func TestTheResultHasOneNewlineStyle(t *testing.T) { // S6.49
	for _, a := range []applied{
		{"the text's CRLF", "a\r\nb\r\n", "-a\n+x\n", "x\r\nb\r\n"},
		{"the text's LF", "a\nb\n", "-a\r\n+x\r\n", "x\nb\n"},
		{"any CRLF of the text", "a\nb\r\n", "-a\n+x\n", "x\r\nb\r\n"},
		{"the diff's, for a text of one line", "a", "-a\r\n+x\r\n+y\r\n", "x\r\ny"},
		{"LF, for a text and a diff of one line", "a", "+x", "x\na"},
		{"mixed newlines without a change", "a\nb\r\n", "", "a\r\nb\r\n"},
		{"a carriage return alone is part of a line", "a\rb\nc\n", "-a\rb\n+x", "x\nc\n"},
		{"a carriage return before CRLF is, too", "a\r\r\nb\r\n", "-b\n+c", "a\r\r\nc\r\n"},
	} {
		a.test(t)
	}
}

func TestLinesOfADiffLoseTheirCarriageReturns(t *testing.T) { // S6.50
	for _, a := range []applied{
		{"one", "a\nb", "-a\r\n+x\r\n", "x\nb"},
		{"several", "a\nb", "-a\r\r\r\n+x\r", "x\nb"},
		{"the last line may be only that", "a\nb\n", "-a\n\r", "b\n"},
		{"of headers and markers as well", "a\nb\n", "@@ a\r\n-b\r\n+c\r\n*** End of File\r\n", "a\nc\n"},
		{"one empty last line is dropped", "a\nb", "-a\n+x\n", "x\nb"},
		{"the one before is a line to keep", "a\n\nb", "-a\n\n", "\nb"},
	} {
		a.test(t)
	}
}

func TestADiffMayChangeNothing(t *testing.T) { // S6.53
	for _, a := range []applied{
		{"an empty diff", "a\nb\n", "", "a\nb\n"},
		{"an empty diff and text", "", "", ""},
		{"one blank line", "a\nb\n", "\n", "a\nb\n"},
		{"a line to keep", "a\nb", " b", "a\nb"},
		{"the end of the patch", "a\n", "*** End Patch\n-zzz\n", "a\n"},
		{"the next file", "a\n", "*** Update File: b\n@@\nnonsense\n", "a\n"},
		{"a file to delete", "a\n", "*** Delete File: b\n", "a\n"},
		{"a file to add", "a\n", "*** Add File: b\n+x\n", "a\n"},
		{"the end of the file", "a\n", endOfFile + "nonsense\n", "a\n"},
		{"a longer word is an end as well", "a\n", "*** End of Files\nnonsense\n", "a\n"},
		{"what comes after an end isn't looked at", "a\n", "-a\n+x\n" + endOfPatch + "nonsense\n", "x\n"},
	} {
		a.test(t)
	}
}

func TestHunks(t *testing.T) {
	for _, a := range []applied{
		{"S6.54: a hunk without a header", "a\nb\n", "-a\n+x\n", "x\nb\n"},
		{"S6.54: a bare header", "a\nb\n", "@@\n-b\n", "a\n"},
		{"S6.54: a blank header", "a\nb\n", "@@  \t\n-b\n", "a\n"},
		{"S6.54: an empty line is one to keep", "a\n\nb\n", " a\n\n-b\n", "a\n\n"},
		{"S6.54: a line to keep that is empty", "a\n\nb\n", " a\n \n-b\n", "a\n\n"},
		{"S6.54: what comes after the first character is as it is", "a\n", "+-x\n++y\n+@@ z\n+*** End Patch\n", "-x\n+y\n@@ z\n*** End Patch\na\n"},
		{"S6.61: insertions come before deletions", "a\nb\n", "-a\n-b\n+x\n+y\n", "x\ny\n"},
		{"S6.61: in turns", "a\nb\n", "-a\n+x\n-b\n+y\n", "x\ny\n"},
		{"S6.61: insertions at two places", "a\nb\nc\n", " a\n+1\n b\n+2\n", "a\n1\nb\n2\nc\n"},
		{"S6.63: no newline at the end", "a\nb", "-b\n+c\n", "a\nc"},
		{"S6.63: a newline at the end", "a\nb\n", "-b\n+c\n", "a\nc\n"},
		{"S6.63: all lines but the newline", "a\n", "-a\n", ""},
		{"S6.63: the newline at the end alone", "a\n", " a\n-\n", "a"},
		{"S6.63: one more", "a\n", " a\n+\n", "a\n\n"},
		{"S6.63: all there is", "a", "-a\n", ""},
		{"S6.63: hunks in the order of the file", "a\nb\nc\nd\n", "-a\n+A\n@@\n-c\n+C\n@@\n-d\n", "A\nb\nC\n"},
	} {
		a.test(t)
	}
}

func TestHeaders(t *testing.T) {
	for _, a := range []applied{
		{"S6.57: what is behind counts, though another is ahead", "a\nb\na\nc\n", " b\n@@ a\n+x\n", "a\nb\nx\na\nc\n"},
		{"S6.57: exact behind, before exact ahead", "b\n a\na\nc\n", " b\n@@ a\n+x\n", "b\n a\na\nx\nc\n"},
		{"S6.57: exact ahead, before trimmed behind", " a\nb\na\nc\n", " b\n@@ a\n+x\n", " a\nb\na\nx\nc\n"},
		{"S6.57: trimmed behind, before trimmed ahead", " a\nb\n  a\nc\n", " b\n@@ a\n+x\n", " a\nb\nx\n  a\nc\n"},
		{"S6.57: trimmed ahead", "b\n\ta \nc\n", "@@ a\n+x\n", "b\n\ta \nx\nc\n"},
		{"S6.57: the header's own white space", "b\na\nc\n", "@@  a\t\n+x\n", "b\na\nx\nc\n"},
		{"S6.57: nowhere", "b\nc\n", " b\n@@ a\n+x\n", "b\nx\nc\n"},
		{"S6.58: one within the other", "A\nf\nB\nf\n", "@@ B\n@@ f\n+x\n", "A\nf\nB\nf\nx\n"},
		{"S6.58: the first may be behind", "A\nb\nf\n", " b\n@@ A\n@@ f\n+x\n", "A\nb\nf\nx\n"},
		{"S6.58: the first after a bare one, too", "A\nb\nf\n", " b\n@@\n@@ A\n@@ f\n+x\n", "A\nb\nf\nx\n"},
		{"S6.58: a later one is only looked for ahead", "f\nA\n f\nc\n", "@@ A\n@@ f\n+x\n", "f\nA\n f\nx\nc\n"},
		{"S6.58: bare ones only", "a\nb\n", "@@\n@@ \n-b\n", "a\n"},
	} {
		a.test(t)
	}
}

func TestContext(t *testing.T) {
	for _, a := range []applied{
		{"S6.59: exact, before another form", "a \na\n", "-a\n+x\n", "a \nx\n"},
		{"S6.59: without the ends, before both sides", " a\na \n", "-a\n+x\n", " a\nx\n"},
		{"S6.59: the diff's own white space", "a\nb\n", "- a \n+x\n", "x\nb\n"},
		{"S6.59: the first place", "a\nb\na\nb\n", " a\n-b\n", "a\na\nb\n"},
		{"S6.59: after the cursor", "a\nb\na\nb\n", "-a\n+1\n@@\n-a\n+2\n", "1\nb\n2\nb\n"},
		{"S6.59: a start that repeats", "a\na\nb\nc\n", " a\n-b\n", "a\na\nc\n"},
		{"S6.59: lines that a hunk before has kept aren't used again", "a\na\n", " a\n@@\n-a\n", "a\n"},
		{"S6.59: no context is the cursor", "a\nb\nc\n", " a\n b\n@@\n+x\n", "a\nb\nx\nc\n"},
		{"S6.59: white space beyond ASCII", "\u00a0a\u2003\nb\n", "-a\n+x\n", "x\nb\n"},
		{"S6.59: separators of ASCII", "\x1ca\x1f\nb\n", "-a\n+x\n", "x\nb\n"},
		{"S6.59: bytes that aren't UTF-8", "\xff\xfe \nb\n", "-\xff\xfe\n+\xfd\n", "\xfd\nb\n"},
		{"S6.60: the very end comes first", "a\nb\na", "-a\n+x\n" + endOfFile, "a\nb\nx"},
		{"S6.60: the newline at the end is a line", "a\nb\na\n", "-a\n-\n+x\n" + endOfFile, "a\nb\nx"},
		{"S6.60: then from the cursor", "a\nb\na\n", "-a\n+x\n" + endOfFile, "x\nb\na\n"},
		{"S6.60: the end in another form, before the cursor", "a\nb\n a", "-a\n+x\n" + endOfFile, "a\nb\nx"},
		{"S6.60: no context is after the last line", "a\n", "+b\n" + endOfFile, "a\n\nb"},
		{"S6.60: and the end of a text without a newline", "a", "+b\n" + endOfFile, "a\nb"},
		{"S6.60: a header and the marker alone", "a\n", "@@\n" + endOfFile, "a\n"},
		{"S6.60: a hunk may come after one at the end", "a\nb", "-b\n+x\n" + endOfFile + "@@\n+y\n", "a\nx\ny"},
		{"S6.60: a hunk at the end may keep what one before has kept", "a\nb", "-a\n b\n@@\n b\n+x\n" + endOfFile, "b\nx"},
		{"S6.62: lines to keep stay as they are", "  a  \nb\n", " a\n-b\n+x\n", "  a  \nx\n"},
		{"S6.62: lines of another form are deleted", "a\n  b\t\nc\n", " a\n-b\n c\n", "a\nc\n"},
	} {
		a.test(t)
	}
}

// A refused is a diff that can't be applied, with its error.
type refused struct {
	name, input, diff string
	kind              v4a.Kind
	line, index       int
	text              string
}

func (r refused) test(t *testing.T) {
	t.Helper()
	got, err := v4a.Apply(t.Context(), r.input, r.diff)
	r.check(t, got, err)
}

func (r refused) check(t *testing.T, got string, err error) {
	t.Helper()
	var failed *v4a.Error
	if !errors.Is(err, r.kind) || !errors.As(err, &failed) || got != "" {
		t.Errorf("%s: %q, %v, want %v", r.name, got, err, r.kind)
		return
	}
	if failed.Line != r.line || failed.Index != r.index || failed.Error() != r.text {
		t.Errorf("%s: line %d, index %d: %q, want line %d, index %d: %q",
			r.name, failed.Line, failed.Index, failed, r.line, r.index, r.text)
	}
}

func TestADiffThatCantBeAppliedIsAnError(t *testing.T) {
	for _, r := range []refused{
		{"S6.54: another first character", "a\n", "-a\nxyz\n", v4a.InvalidLine, 2, 0, "Invalid Line: xyz"},
		{"S6.54: an unknown marker", "a\n", "-a\n*** Nonsense\n", v4a.InvalidLine, 2, 0, "Invalid Line: *** Nonsense"},
		{"S6.54: a marker with a space before", "a\n", "-a\n\t" + endOfFile, v4a.InvalidLine, 2, 0, "Invalid Line: \t*** End of File"},
		{"S6.55: text after the end of the file", "a", "-a\n" + endOfFile + "+x\n", v4a.MissingHeader, 3, 0, "Invalid Line:\n+x"},
		{"S6.55: asterisks", "a\nb\n", "-a\n***\n-b\n", v4a.MissingHeader, 2, 0, "Invalid Line:\n***"},
		{"S6.55: asterisks while the cursor is at the start", "a\n", "+x\n***\n-a\n", v4a.EmptyHunk, 2, 1, "Nothing in this section - index=1 ***"},
		{"S6.56: no space after @@", "a\n", "@@a\n-a\n", v4a.EmptyHunk, 1, 0, "Nothing in this section - index=0 @@a"},
		{"S6.56: no space after @@ in a later hunk", "a\nb\n", "-a\n@@b\n-b\n", v4a.MissingHeader, 2, 0, "Invalid Line:\n@@b"},
		{"S6.56: no lines, and nothing more", "a\n", "@@\n", v4a.EmptyHunk, 1, 1, "Nothing in this section - index=1 *** End Patch"},
		{"S6.56: no lines before the next file", "a\n", "@@\n*** Add File: b\n", v4a.EmptyHunk, 2, 1, "Nothing in this section - index=1 *** Add File: b"},
		{"S6.56: no lines before a longer marker", "a\n", "@@ a\n*** End of Files\n", v4a.EmptyHunk, 2, 1, "Nothing in this section - index=1 *** End of Files"},
		{"S6.58: the first isn't found", "a\nb\n", "@@ zzz\n@@ b\n+x\n", v4a.InvalidAnchor, 1, 0, "Invalid Anchor 0:\nzzz"},
		{"S6.58: a later one is behind", "f\nA\nb\n", "@@ A\n@@ f\n+x\n", v4a.InvalidAnchor, 2, 2, "Invalid Anchor 2:\nf"},
		{"S6.58: the same twice", "a\nb\n", "@@ a\n@@ a\n+x\n", v4a.InvalidAnchor, 2, 1, "Invalid Anchor 1:\na"},
		{"S6.59: lines that aren't there", "a\nb\n", "@@\n a\n+x\n-c\n", v4a.InvalidContext, 2, 0, "Invalid Context 0:\na\nc"},
		{"S6.59: lines that are behind", "a\nb\nc\n", "-b\n@@\n-a\n", v4a.InvalidContext, 3, 2, "Invalid Context 2:\na"},
		{"S6.59: behind a header", "a\nb\nc\n", "@@ b\n-a\n", v4a.InvalidContext, 2, 2, "Invalid Context 2:\na"},
		{"S6.59: more lines than the text has", "a", "-a\n-a\n", v4a.InvalidContext, 1, 0, "Invalid Context 0:\na\na"},
		{"S6.59: a blank line where there is none", "a", "\n", v4a.InvalidContext, 1, 0, "Invalid Context 0:\n"},
		{"S6.60: lines that aren't there", "a\nb\n", " a\n@@ b\n-a\n+x\n" + endOfFile, v4a.InvalidEndContext, 3, 2, "Invalid EOF Context 2:\na"},
		{"S6.60: the marker belongs to one hunk", "a\nb", "-a\n@@\n-a\n+x\n@@\n-b\n" + endOfFile, v4a.InvalidContext, 3, 1, "Invalid Context 1:\na"},
		{"S6.63: a line is deleted twice", "a", "-a\n+x\n@@\n-a\n+y\n" + endOfFile, v4a.OverlappingHunk, 4, 0, "Overlapping Hunk 0:\n-a"},
		{"S6.63: lines that are out of order", "a\nb\n", "-b\n@@\n-a\n", v4a.InvalidContext, 3, 2, "Invalid Context 2:\na"},
	} {
		r.test(t)
	}
}

func TestTheFirstErrorOfADiffCounts(t *testing.T) {
	for _, r := range []refused{
		{"an anchor before the lines of its hunk", "a\n", "@@ y\n@@ z\nxyz\n", v4a.InvalidAnchor, 1, 0, "Invalid Anchor 0:\ny"},
		{"a missing header before the lines", "a\n", "-a\nxyz\n", v4a.InvalidLine, 2, 0, "Invalid Line: xyz"},
		{"a context before a later line", "a\n", "-b\n@@\nxyz\n", v4a.InvalidContext, 1, 0, "Invalid Context 0:\nb"},
		{"a line before a later context", "a\n", "xyz\n@@\n-b\n", v4a.InvalidLine, 1, 0, "Invalid Line: xyz"},
		{"a later context before an overlap", "a", "-a\n@@\n-a\n" + endOfFile + "@@\n-z\n", v4a.InvalidContext, 6, 1, "Invalid Context 1:\nz"},
	} {
		r.test(t)
	}
}

func TestWhatIsTooLargeIsRefused(t *testing.T) {
	text := strings.Repeat("a", v4a.MaxText+1)
	const textProblem = "Too Large: the text has 33554433 bytes, and 33554432 are the most"
	const diffProblem = "Too Large: the diff has 8388609 bytes, and 8388608 are the most"
	refused{"a text", text, "", v4a.TooLarge, 0, 0, textProblem}.test(t)
	refused{"a diff", "", text[:v4a.MaxDiff+1], v4a.TooLarge, 0, 0, diffProblem}.test(t)
	got, err := v4a.Create(text[:v4a.MaxDiff+1])
	refused{"a diff that creates", "", "", v4a.TooLarge, 0, 0, diffProblem}.check(t, got, err)
	refused{
		"a text of many lines", strings.Repeat("\n", v4a.MaxTextLines), "", v4a.TooLarge, 0, 0,
		"Too Large: the text has 4194305 lines, and 4194304 are the most",
	}.test(t)
	refused{
		"a diff of many lines", "", strings.Repeat("\n", v4a.MaxDiffLines), v4a.TooLarge, 0, 0,
		"Too Large: the diff has 1048577 lines, and 1048576 are the most",
	}.test(t)
	if got, err := v4a.Apply(t.Context(), text[1:], ""); err != nil || len(got) != v4a.MaxText {
		t.Errorf("the largest text: %d bytes, %v", len(got), err)
	}
}
