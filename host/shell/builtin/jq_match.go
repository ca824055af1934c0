package builtin

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/itchyny/gojq"
)

// jqMatches are the functions that look for matches, over match_: the library's own counts
// the characters before each match anew, and looks at no context meanwhile. What isn't
// text is left to it.
const jqMatches = `
def match($re; $flags):
  if type == "string" and ($re|type) == "string" and ($flags|type|. == "string" or . == "null")
  then match_($re; $flags) else _match($re; $flags; false)[] end;
def match($re): if $re|type == "array" then match($re[0]; $re[1]) else match($re; null) end;
def capture($re; $flags): match($re; $flags) | .captures | _captures;
def capture($re): if $re|type == "array" then capture($re[0]; $re[1]) else capture($re; null) end;
def scan($re; $flags): match($re; $flags + "g") | if .captures == [] then .string else [.captures[].string] end;
def scan($re): scan($re; null);
def splits($re; $flags): .[foreach (match($re; $flags + "g"), null) as {$offset, $length}
  (null; {start: .next, end: $offset, next: $offset + $length})];
def splits($re): splits($re; null);
def split($re; $flags): [splits($re; $flags)];
def sub($re; str; $flags): reduce match($re; $flags) as {$offset, $length, $captures} ({s: ., r: []};
  reduce ($captures | _captures | str) as $s (.i = 0;
    (.s[.next:$offset] + $s | fit_) as $d | .r[.i] |= (. + $d | fit_) | .i += 1)
  | .next = $offset + $length) | if .r == [] then .s else .r[] + .s[.next:] | fit_ end;
def sub($re; str): sub($re; str; null);
def gsub($re; str; $flags): sub($re; str; $flags + "g");
def gsub($re; str): sub($re; str; "g");
`

// maxExpressions is how many expressions are kept compiled.
const maxExpressions = 256

// expression compiles a regular expression, unless that was done before.
func (g *jqGuard) expression(text, flags string) (*matchFinder, error) {
	if e := g.expressions[[2]string{text, flags}]; e != nil {
		return e, nil
	}
	if strings.Trim(flags, "gim") != "" {
		return nil, fmt.Errorf("unsupported regular expression flag: %q", flags)
	}
	whole := text
	if strings.Contains(flags, "i") {
		whole = "(?i)" + whole
	}
	if strings.Contains(flags, "m") {
		whole = "(?s)" + whole
	}
	first, err := regexp.Compile(whole)
	if err != nil {
		return nil, fmt.Errorf("invalid regular expression %q: %w", text, err)
	}
	if len(g.expressions) >= maxExpressions || g.expressions == nil {
		g.expressions = map[[2]string]*matchFinder{}
	}
	e, err := newMatchFinder(first, false)
	if err != nil {
		return nil, fmt.Errorf("invalid regular expression %q: %w", text, err)
	}
	g.expressions[[2]string{text, flags}] = e
	return e, nil
}

// matches looks for an expression in a text: for all matches, if the flags have a g.
func (g *jqGuard) matches(text, expression string, flags any) gojq.Iter {
	how, _ := flags.(string)
	e, err := g.expression(expression, how)
	if err == nil {
		err = checkMatch(expression, len(text))
	}
	if err != nil {
		return gojq.NewIter[any](err)
	}
	return &jqMatcher{guard: g, expression: e, text: text, all: strings.Contains(how, "g")}
}

// A jqMatcher gives the matches in a text, one after the other.
type jqMatcher struct {
	guard      *jqGuard
	expression *matchFinder
	text       string
	all        bool
	done       bool

	at, runes int // where to go on: in bytes, and in characters
}

// Next gives a match, or why no more are looked for.
func (m *jqMatcher) Next() (any, bool) {
	if m.done {
		return nil, false
	}
	if err := m.guard.ended(); err != nil {
		m.done = true
		return err, true
	}
	at := findFrom(m.expression, m.text, m.at)
	if at == nil {
		m.done = true
		return nil, false
	}
	m.runes += utf8.RuneCountInString(m.text[m.at:at[0]])
	match := m.span(at[0], m.runes, at[0], at[1])
	captures := make([]any, 0, len(at)/2-1)
	names := m.expression.SubexpNames()
	for i := 2; i < len(at); i += 2 {
		capture := map[string]any{"offset": -1, "length": 0, "string": nil}
		if at[i] >= 0 {
			capture = m.span(at[0], m.runes, at[i], at[i+1])
		}
		capture["name"] = nil
		if name := names[i/2]; name != "" {
			capture["name"] = name
		}
		captures = append(captures, capture)
	}
	match["captures"] = captures
	m.runes += match["length"].(int)
	m.goOn(at[0], at[1])
	return match, true
}

// goOn sets what is looked at next, after a match.
func (m *jqMatcher) goOn(start, end int) {
	m.at = end
	if start == end { // no match is found twice
		_, width := utf8.DecodeRuneInString(m.text[end:])
		m.at += width
		m.runes++
		m.done = width == 0
	}
	m.done = m.done || !m.all
}

// span is a part of the text, given how many characters are before some byte.
func (m *jqMatcher) span(known, runes, start, end int) map[string]any {
	return map[string]any{
		"offset": runes + utf8.RuneCountInString(m.text[known:start]),
		"length": utf8.RuneCountInString(m.text[start:end]),
		"string": m.text[start:end],
	}
}
