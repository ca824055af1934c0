package v4a

import (
	"context"
	"fmt"
	"strings"
)

// The largest text, diff and patch, in bytes, and the most lines of the text and the diff
// of an [Apply]. They keep what hostile ones take to a few hundred mebibytes and about a
// second.
const (
	MaxText  = 32 << 20
	MaxDiff  = 8 << 20
	MaxPatch = 32 << 20

	MaxTextLines = 4 << 20
	MaxDiffLines = 1 << 20
)

// Apply is a text with a diff applied. The result has one newline style: CRLF if
// anything in the text ends with it, and the diff's for a text of one line (S6.49).
// The diff ends at a header of the next file or the end of the patch; what comes
// after isn't looked at (S6.53).
//
// The error is an [*Error], or the context's, once that has ended. Nothing is applied in
// part.
func Apply(ctx context.Context, input, diff string) (string, error) {
	if err := checkLines("text", input, MaxText, MaxTextLines); err != nil {
		return "", err
	}
	if err := checkLines("diff", diff, MaxDiff, MaxDiffLines); err != nil {
		return "", err
	}
	d := splitDiff(diff)
	d.parse()
	file := split(strings.ReplaceAll(input, crlf, lf))
	places, err := locate(ctx, file, d)
	if err != nil {
		return "", err
	}
	return merge(file, d, places, newlineFor(input, diff))
}

// checkLines is checkSize of a text that mustn't have too many lines either.
func checkLines(name, text string, most, mostLines int) error {
	if err := checkSize(name, text, most); err != nil {
		return err
	}
	lines := strings.Count(text, lf) + 1
	if lines <= mostLines {
		return nil
	}
	return &Error{Kind: TooLarge, Text: fmt.Sprintf("the %s has %d lines, and %d are the most", name, lines, mostLines)}
}

func checkSize(name, text string, most int) error {
	if len(text) <= most {
		return nil
	}
	return &Error{Kind: TooLarge, Text: fmt.Sprintf("the %s has %d bytes, and %d are the most", name, len(text), most)}
}
