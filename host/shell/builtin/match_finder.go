package builtin

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// A matchFinder finds the matches of an expression one by one: package regexp looks for
// all of them at once, for a time that grows with the square of the text, and at no
// context meanwhile.
type matchFinder struct {
	*regexp.Regexp

	next *regexp.Regexp // one character, and then the first match behind it, as a group
	here *regexp.Regexp // one character, and then the longest match right behind it
}

// newMatchFinder makes one for the expression of r, which finds what r finds. Longest says
// whether that is the longest of the matches that begin first.
func newMatchFinder(r *regexp.Regexp, longest bool) (*matchFinder, error) {
	f := &matchFinder{Regexp: r}
	parsed, err := syntax.Parse(r.String(), syntax.Perl)
	if err != nil || !looksBehind(parsed) {
		return f, err
	}
	group := "(" + parsed.String() + ")" // one that has no open quotation
	if f.next, err = regexp.Compile(`\A(?s:.)(?s:.)*?` + group); err == nil && longest {
		if f.here, err = regexp.Compile(`\A(?s:.)` + group); err == nil {
			f.here.Longest()
		}
	}
	return f, err
}

// findFrom gives where the first match in a part of a text and its groups are, or nil. The
// part is what begins at some byte; matches may depend on the character before it.
func findFrom[T string | []byte](f *matchFinder, text T, at int) []int {
	if at == 0 || f.next == nil {
		return moved(findIn(f.Regexp, text[at:]), at)
	}
	from := at - widthBefore(text[:at])
	match := moved(findIn(f.next, text[from:]), from)
	if match == nil || f.here == nil {
		return match[min(2, len(match)):]
	}
	from = match[2] - widthBefore(text[:match[2]])
	return moved(findIn(f.here, text[from:]), from)[2:]
}

// eachMatch calls do with where each match and its groups are, until it reports that there
// were enough. As everywhere, no empty match is right behind another one.
func eachMatch[T string | []byte](f *matchFinder, text T, do func(match []int) bool) {
	for at, last := 0, -1; at <= len(text); {
		match := findFrom(f, text, at)
		if match == nil || (match[0] < match[1] || match[0] != last) && !do(match) {
			return
		}
		if at, last = match[1], match[1]; match[0] == match[1] {
			at += max(1, widthAfter(text[at:]))
		}
	}
}

func findIn[T string | []byte](r *regexp.Regexp, text T) []int {
	switch text := any(text).(type) {
	case []byte:
		return r.FindSubmatchIndex(text)
	case string:
		return r.FindStringSubmatchIndex(text)
	}
	return nil
}

// moved adds a distance to what is the place of something.
func moved(match []int, by int) []int {
	for i := range match {
		if match[i] >= 0 {
			match[i] += by
		}
	}
	return match
}

func widthBefore[T string | []byte](text T) int {
	_, width := utf8.DecodeLastRuneInString(string(text[max(0, len(text)-utf8.UTFMax):]))
	return width
}

func widthAfter[T string | []byte](text T) int {
	_, width := utf8.DecodeRuneInString(string(text[:min(len(text), utf8.UTFMax)]))
	return width
}

// looksBehind reports whether a match depends on what is before it.
func looksBehind(expression *syntax.Regexp) bool {
	switch expression.Op {
	case syntax.OpBeginLine, syntax.OpBeginText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return true
	default:
		return slices.ContainsFunc(expression.Sub, looksBehind)
	}
}
