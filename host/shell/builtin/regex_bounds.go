package builtin

import (
	"bufio"
	"bytes"
	"context"
	"regexp"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/regexpsize"
)

// A bounded matcher is a regular expression whose matching ends with a context, or
// isn't begun: package regexp looks at none.
type boundedMatcher struct {
	*regexp.Regexp

	size int // of its program; 0: not known yet
}

const (
	// maxMatch is how many steps of a program there may be for all bytes of a text,
	// where matching can't be ended.
	maxMatch = 256 << 20
	// smallMatch is so few that nobody minds.
	smallMatch = 1 << 20

	errMatch = complaint("the regular expression is too large for so long a text")
)

func bounded(r *regexp.Regexp) *boundedMatcher { return &boundedMatcher{Regexp: r} }

func (m *boundedMatcher) steps(length int) int {
	if m.size == 0 {
		m.size = regexpsize.Of(m.String()) + 1
	}
	return m.size * length
}

// in reports whether there is a match, unless the context ends before.
func (m *boundedMatcher) in(ctx context.Context, text []byte) bool {
	if m.steps(len(text)) <= smallMatch {
		return m.Match(text)
	}
	return m.MatchReader(bufio.NewReaderSize(&endingReader{ctx, bytes.NewReader(text)}, 4<<10))
}

// each calls do with every match that isn't empty, until it reports that there were
// enough. A list of them would take more memory than the text.
func (m *boundedMatcher) each(text []byte, do func(match []byte) bool) {
	enough := false
	defer func() {
		if enough {
			_ = recover() // the only way out of the library
		}
	}()
	m.ReplaceAllFunc(text, func(match []byte) []byte {
		if enough = len(match) > 0 && !do(match); enough {
			panic(errMatch)
		}
		return nil
	})
}

// check refuses a text in which looking for all matches would take too long.
func (m *boundedMatcher) check(text []byte) error {
	if _, literal := m.LiteralPrefix(); !literal && m.steps(len(text)) > maxMatch {
		return errMatch
	}
	return nil
}

// checkMatch refuses an expression for a text of some length.
func checkMatch(expression string, length int) error {
	if regexpsize.Of(expression)*length > maxMatch {
		return errMatch
	}
	return nil
}
