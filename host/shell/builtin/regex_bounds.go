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

	longest bool
	size    int          // of its program; 0: not known yet
	finder  *matchFinder // of all matches; nil: not needed yet
}

const (
	// maxMatch is how many steps of a program there may be for all bytes of a text,
	// where matching can't be ended.
	maxMatch = 256 << 20
	// smallMatch is so few that nobody minds.
	smallMatch = 1 << 20

	errMatch = complaint("the regular expression is too large for so long a text")
)

// bounded makes one. Longest is whether the longest of the matches that begin first counts.
func bounded(r *regexp.Regexp, longest bool) *boundedMatcher {
	if longest {
		r.Longest()
	}
	return &boundedMatcher{Regexp: r, longest: longest}
}

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

// first gives the first match and its groups, or nil, as it also does if the context ends
// before. It is an error if looking for it would take too long.
func (m *boundedMatcher) first(ctx context.Context, text []byte) ([]int, error) {
	switch steps := m.steps(len(text)); {
	case steps <= smallMatch:
		return m.FindSubmatchIndex(text), nil
	case steps > maxMatch:
		return nil, errMatch
	default:
		return m.FindReaderSubmatchIndex(bufio.NewReaderSize(&endingReader{ctx, bytes.NewReader(text)}, 4<<10)), nil
	}
}

// each calls do with every match and its groups, until it reports that there were enough
// or the context ends. It is an error if looking for them would take too long.
func (m *boundedMatcher) each(ctx context.Context, text []byte, do func(match []int) bool) (err error) {
	if _, literal := m.LiteralPrefix(); !literal && m.steps(len(text)) > maxMatch {
		return errMatch
	}
	if m.finder == nil {
		if m.finder, err = newMatchFinder(m.Regexp, m.longest); err != nil {
			return err
		}
	}
	eachMatch(m.finder, text, func(match []int) bool { return ctx.Err() == nil && do(match) })
	return nil
}

// checkMatch refuses an expression for a text of some length.
func checkMatch(expression string, length int) error {
	if regexpsize.Of(expression)*length > maxMatch {
		return errMatch
	}
	return nil
}
