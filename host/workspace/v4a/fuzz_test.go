package v4a_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace/v4a"
)

// checkDiff tests that a diff of two texts makes the second of the first.
func checkDiff(t *testing.T, before, after string, around int) {
	t.Helper()
	diff := makeDiff(before, after, around)
	if got, err := v4a.Apply(t.Context(), before, diff); err != nil || got != after {
		t.Errorf("Apply(%q, %q) = %q, %v, want %q", before, diff, got, err, after)
	}
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	if got, err := v4a.Apply(t.Context(), crlf(before), diff); strings.Contains(before, "\n") && (err != nil || got != crlf(after)) {
		t.Errorf("with CRLF: Apply(%q, %q) = %q, %v, want %q", crlf(before), diff, got, err, crlf(after))
	}
}

func TestADiffOfTwoTextsMakesTheSecondOfTheFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	text := func() string {
		lines := make([]string, r.IntN(20))
		for i := range lines {
			lines[i] = []string{"a", " a", "b", "", "+", "@@", "*** End of File"}[r.IntN(7)]
		}
		return strings.Join(lines, "\n")
	}
	for range 3000 {
		checkDiff(t, text(), text(), r.IntN(4))
	}
}

// FuzzApply: no text and diff make Apply panic; what it fails with is an error of
// the package, with a line of the diff. A diff of two texts makes the second of the
// first.
func FuzzApply(f *testing.F) {
	for _, seed := range [][2]string{
		{"a\nb\nc\n", "@@ a\n-b\n+x\n c\n"},
		{"a\r\nb\r\n", "-b\r\n+c\r\n*** End of File\r\n"},
		{"a\nb\na\nb\n", " a\n-b\n@@\n@@ a\n+x\n*** End Patch\n"},
		{" a \n\tb", "- a\n***\n"},
		{"", "+x\n+\n"},
		{"a", "-a\n@@\n-a\n*** End of File"},
	} {
		f.Add(seed[0], seed[1], uint8(1))
	}
	f.Fuzz(func(t *testing.T, text, diff string, around uint8) {
		checkError(t, diff, func() error { _, err := v4a.Apply(t.Context(), text, diff); return err }())
		checkError(t, diff, func() error { _, err := v4a.Create(diff); return err }())
		if len(text)+len(diff) > 1000 { // The generator takes long for more.
			return
		}
		without := strings.NewReplacer("\r", "")
		checkDiff(t, without.Replace(text), without.Replace(diff), int(around%4))
	})
}

func checkError(t *testing.T, text string, err error) {
	t.Helper()
	if err == nil {
		return
	}
	failed, ok := errors.AsType[*v4a.Error](err)
	if !ok || failed.Line < 1 || failed.Line > strings.Count(text, "\n")+1 || failed.Error() == "" {
		t.Errorf("%q: %#v", text, err)
	}
}

// FuzzParse: no patch makes Parse panic; what it fails with is an error of the
// package, with a line of the patch; what it gives are operations that can be
// applied as far as Parse checks.
func FuzzParse(f *testing.F) {
	f.Add("*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch\n")
	f.Add("*** Begin Patch\r\n*** Update File: a\r\n*** Move to: b\r\n@@\r\n-x\r\n*** End Patch")
	f.Add(`{"operations": [{"type": "update_file", "path": "a", "diff": "+x", "move_to": "b"}]}`)
	f.Add("[\n{\"type\": \"delete_file\", \"path\": \"a\", \"path\": \"\"}]")
	f.Add(`{"operation": {"type": "create_file", "path": "a"}}`)
	f.Fuzz(func(t *testing.T, patch string) {
		operations, err := v4a.Parse(patch)
		checkError(t, patch, err)
		for _, op := range operations {
			deletes := op.Type == v4a.DeleteFile
			if op.Path == "" || deletes != (op.Diff == nil) || !deletes && op.Type != v4a.CreateFile && op.Type != v4a.UpdateFile {
				t.Errorf("%q: %+v", patch, op)
			}
		}
	})
}
