package v4a

import (
	"fmt"
	"strings"
)

// The largest text, diff and patch, in bytes. They keep what hostile ones take below
// a gibibyte of memory and a few seconds.
const (
	MaxText  = 32 << 20
	MaxDiff  = 8 << 20
	MaxPatch = 32 << 20
)

// Apply is a text with a diff applied. The result has one newline style: CRLF if
// anything in the text ends with it, and the diff's for a text of one line (S6.49).
// The diff ends at a header of the next file or the end of the patch; what comes
// after isn't looked at (S6.53).
//
// The error is an [*Error]. Nothing is applied in part.
func Apply(input, diff string) (string, error) {
	if err := checkSize("text", input, MaxText); err != nil {
		return "", err
	}
	if err := checkSize("diff", diff, MaxDiff); err != nil {
		return "", err
	}
	d := splitDiff(diff)
	d.parse()
	file := split(strings.ReplaceAll(input, crlf, lf))
	places, err := locate(file, d)
	if err != nil {
		return "", err
	}
	return merge(file, d, places, newlineFor(input, diff))
}

func checkSize(name, text string, most int) error {
	if len(text) <= most {
		return nil
	}
	return &Error{Kind: TooLarge, Text: fmt.Sprintf("the %s has %d bytes, and %d are the most", name, len(text), most)}
}
