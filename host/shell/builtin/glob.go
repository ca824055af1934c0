package builtin

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// A glob is a pattern as of fnmatch, in which slashes are no different. A match takes
// no more time than the lengths of pattern and text multiplied, and most take less.
type glob struct {
	items []globItem
	fold  bool // letters of either case are the same
}

// A globItem stands for one character of a text, or for any number of them.
type globItem struct {
	star bool
	text string         // the character; "": it is one of a set
	set  *regexp.Regexp // nil: any character
}

func newGlob(pattern string, fold bool) (*glob, error) {
	g := &glob{fold: fold}
	for pattern != "" {
		item, size := globItem{}, 1
		switch pattern[0] {
		case '*':
			item.star = true
		case '?':
		case '[':
			var err error
			if item, size, err = globSet(pattern, fold); err != nil {
				return nil, err
			}
		case '\\':
			if len(pattern) > 1 {
				pattern = pattern[1:]
			}
			fallthrough
		default:
			_, size = utf8.DecodeRuneInString(pattern)
			item.text = pattern[:size]
		}
		pattern = pattern[size:]
		if last := len(g.items) - 1; !item.star || last < 0 || !g.items[last].star {
			g.items = append(g.items, item)
		}
	}
	return g, nil
}

// globSet reads [...], or a bracket that isn't closed.
func globSet(pattern string, fold bool) (item globItem, size int, err error) {
	text := pattern
	if strings.HasPrefix(pattern, "[!") {
		text = "[^" + pattern[2:]
	}
	var set strings.Builder
	if fold {
		set.WriteString("(?i)")
	}
	set.WriteString("(?s)^")
	if size = bracket(&set, text); size == 0 {
		return globItem{text: "["}, 1, nil
	}
	item.set, err = regexp.Compile(set.String() + "$")
	return item, size, err
}

// match reports whether the whole of a text is as the pattern says. Where a character
// doesn't fit only the last star can take more: what the ones before it took was the
// least that they could.
func (g *glob) match(text string) bool {
	next, star, taken := 0, -1, 0
	for at := 0; at < len(text) || next < len(g.items); {
		if next < len(g.items) && g.items[next].star {
			star, taken = next, at
			next++
			continue
		}
		if at < len(text) && next < len(g.items) {
			_, size := utf8.DecodeRuneInString(text[at:])
			if g.items[next].fits(text[at:at+size], g.fold) {
				next, at = next+1, at+size
				continue
			}
		}
		if star < 0 || taken >= len(text) {
			return false
		}
		_, size := utf8.DecodeRuneInString(text[taken:])
		taken += size
		next, at = star+1, taken
	}
	return true
}

func (i *globItem) fits(character string, fold bool) bool {
	switch {
	case i.set != nil:
		return i.set.MatchString(character)
	case i.text == "":
		return true
	case fold:
		return strings.EqualFold(i.text, character)
	default:
		return i.text == character
	}
}
