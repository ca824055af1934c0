package v4a

import (
	"fmt"
	"strconv"
)

// An Error says why a diff can't be applied, or a patch can't be read.
type Error struct {
	Kind  Kind   // what errors.Is finds
	Line  int    // of the diff or patch, counted from 1; 0 with TooLarge
	Index int    // see the kinds; otherwise 0
	Text  string // the line or lines that can't be used, or what is wrong with them
}

// Error is what the original says for errors of a diff, so that a model gets the
// words it knows. Those of a patch start with the line's number.
func (e *Error) Error() string {
	switch e.Kind {
	case TooLarge:
		return string(e.Kind) + ": " + e.Text
	case InvalidAddLine, InvalidLine:
		return string(e.Kind) + ": " + e.Text
	case MissingHeader:
		return string(InvalidLine) + ":\n" + e.Text
	case EmptyHunk:
		return fmt.Sprintf("%s - index=%d %s", string(e.Kind), e.Index, e.Text)
	case InvalidAnchor, InvalidContext, InvalidEndContext, OverlappingHunk:
		return string(e.Kind) + " " + strconv.Itoa(e.Index) + ":\n" + e.Text
	default:
		return "line " + strconv.Itoa(e.Line) + ": " + string(e.Kind) + ": " + e.Text
	}
}

// Unwrap gives the kind.
func (e *Error) Unwrap() error { return e.Kind }
