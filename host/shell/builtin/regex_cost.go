package builtin

import (
	"regexp/syntax"
	"slices"
	"unicode"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/regexpsize"
)

// A regexCost is what it takes to find all matches of an expression in a text.
type regexCost struct {
	size int // of its program: the steps for a byte that is looked at
	// again is whether what is behind a match may be looked at anew for every one, as it
	// is by a.*b|a where there is no b: each of them looks for one to the end.
	again bool
	// reach is how many matches there may be in what is looked at for one: as many times
	// is each byte looked at, if what has to come at last is never there.
	reach float64
}

func costOf(expression string) regexCost {
	parsed, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return regexCost{}
	}
	cost := regexCost{size: regexpsize.Of(expression), again: looksBeyond(parsed.Simplify()), reach: 1}
	if looksBeyond(endless(parsed)) {
		shortest, longest := lengths(parsed)
		cost.reach = longest / max(shortest, 1)
	}
	return cost
}

// looksBeyond reports whether what is behind a match may be looked at for others, too.
func looksBeyond(e *syntax.Regexp) bool {
	var beyond runeSet
	beyond.addParts(e)
	return len(beyond) > 0 && beyond.has(e)
}

// endless is an expression the repetitions of which have no largest number.
func endless(e *syntax.Regexp) *syntax.Regexp {
	copied := *e
	switch {
	case e.Op == syntax.OpQuest, e.Op == syntax.OpRepeat && e.Min == 0:
		copied.Op = syntax.OpStar
	case e.Op == syntax.OpRepeat:
		copied.Op = syntax.OpPlus
	}
	copied.Sub = make([]*syntax.Regexp, len(e.Sub))
	for i, sub := range e.Sub {
		copied.Sub[i] = endless(sub)
	}
	return &copied
}

// steps are those for a text of some length.
func (c regexCost) steps(length float64) float64 {
	steps := float64(c.size) * length
	if c.again {
		return steps * max(length, 1)
	}
	return steps * max(min(length, c.reach), 1)
}

// once is what it takes to find the first match only.
func (c regexCost) once() regexCost { return regexCost{size: c.size} }

// lengths are the numbers of characters of the shortest and of the longest match. A loop
// without an end counts as if it were gone through no more than it has to, or once.
func lengths(e *syntax.Regexp) (shortest, longest float64) {
	switch e.Op {
	case syntax.OpLiteral:
		return float64(len(e.Rune)), float64(len(e.Rune))
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 1
	case syntax.OpCapture, syntax.OpPlus:
		return lengths(e.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		_, longest = lengths(e.Sub[0])
		return 0, longest
	case syntax.OpRepeat:
		shortest, longest = lengths(e.Sub[0])
		return shortest * float64(e.Min), longest * float64(max(e.Min, e.Max, 1))
	case syntax.OpConcat:
		for _, sub := range e.Sub {
			least, most := lengths(sub)
			shortest, longest = shortest+least, longest+most
		}
	case syntax.OpAlternate:
		shortest, longest = lengths(e.Sub[0])
		for _, sub := range e.Sub[1:] {
			least, most := lengths(sub)
			shortest, longest = min(shortest, least), max(longest, most)
		}
	}
	return shortest, longest
}

// A runeSet is a set of characters: the first and the last one of each range.
type runeSet []rune

// addParts adds what addLoops does, but for loops over single characters between the parts of
// which every match consists: who is in such a loop finds all that those find who begin
// behind its own match, and so makes that longer.
func (s *runeSet) addParts(e *syntax.Regexp) {
	for e.Op == syntax.OpCapture {
		e = e.Sub[0]
	}
	parts := []*syntax.Regexp{e}
	if e.Op == syntax.OpConcat {
		parts = e.Sub
	}
	last := true
	for _, part := range slices.Backward(parts) {
		if loop := part.Op == syntax.OpStar || part.Op == syntax.OpPlus; !loop || len(taken(part.Sub[0])) == 0 {
			s.addLoops(part, last)
		}
		last = last && canBeNothing(part)
	}
}

// addLoops adds the characters that the loops of an expression take before it is known
// whether they belong to a match. A loop that may as well end the match doesn't count: what
// it takes is never looked at again. Last is whether nothing has to come behind the
// expression.
func (s *runeSet) addLoops(e *syntax.Regexp, last bool) {
	switch e.Op {
	case syntax.OpConcat:
		for i := len(e.Sub) - 1; i >= 0; i-- {
			s.addLoops(e.Sub[i], last)
			last = last && canBeNothing(e.Sub[i])
		}
		return
	case syntax.OpStar, syntax.OpPlus:
		if !last {
			s.addAll(e.Sub[0])
			return
		}
	}
	for _, sub := range e.Sub {
		s.addLoops(sub, last)
	}
}

// addAll adds all characters of an expression.
func (s *runeSet) addAll(e *syntax.Regexp) {
	*s = append(*s, taken(e)...)
	for _, sub := range e.Sub {
		s.addAll(sub)
	}
}

// canBeNothing reports whether an expression always matches an empty text, too.
func canBeNothing(e *syntax.Regexp) bool {
	switch e.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return true
	case syntax.OpCapture, syntax.OpPlus:
		return canBeNothing(e.Sub[0])
	case syntax.OpConcat:
		for _, sub := range e.Sub {
			if !canBeNothing(sub) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range e.Sub {
			if canBeNothing(sub) {
				return true
			}
		}
	}
	return false
}

// taken are the characters of which an expression without parts takes one.
func taken(e *syntax.Regexp) runeSet {
	switch e.Op {
	case syntax.OpLiteral:
		var runes runeSet
		for _, r := range e.Rune {
			runes = append(runes, r, r)
			if e.Flags&syntax.FoldCase != 0 {
				for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
					runes = append(runes, f, f)
				}
			}
		}
		return runes
	case syntax.OpCharClass:
		return e.Rune
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return runeSet{0, unicode.MaxRune}
	}
	return nil
}

// has reports whether there may be matches, one behind the other, that have no other
// characters than those of the set.
func (s runeSet) has(e *syntax.Regexp) bool {
	switch e.Op {
	case syntax.OpNoMatch, syntax.OpBeginText, syntax.OpEndText: // they are in one place only
		return false
	case syntax.OpLiteral:
		for _, r := range e.Rune {
			if !s.meets(taken(&syntax.Regexp{Op: syntax.OpLiteral, Flags: e.Flags, Rune: []rune{r}})) {
				return false
			}
		}
		return true
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return s.meets(taken(e))
	case syntax.OpConcat:
		for _, sub := range e.Sub {
			if !s.has(sub) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		for _, sub := range e.Sub {
			if s.has(sub) {
				return true
			}
		}
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return s.has(e.Sub[0])
	default:
		return true
	}
}

// meets reports whether two sets have a character in common.
func (s runeSet) meets(other runeSet) bool {
	for i := 0; i+1 < len(s); i += 2 {
		for j := 0; j+1 < len(other); j += 2 {
			if s[i] <= other[j+1] && other[j] <= s[i+1] {
				return true
			}
		}
	}
	return false
}
