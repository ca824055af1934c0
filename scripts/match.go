package scripts

import (
	"errors"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/expression"
	"github.com/wasmsandbox/wasmsandbox/host/pattern"
)

const matcherDetail = "has a matcher that can't be used"

// readMatch reads the matcher, if there is one (V4, V5). Null is none (S1.6).
func (s *stepParser) readMatch(step *host.Step) bool {
	n := s.node.get("match")
	if n == nil || n.isNull() {
		return true
	}
	const one = "must have one of: args and kwargs, cel, module and handler"
	declarative := n.get("args") != nil || n.get("kwargs") != nil
	guest := n.get("module") != nil || n.get("handler") != nil
	cel := n.get("cel") != nil
	if n.kind == mapNode && count(declarative, guest, cel) != 1 && !s.onlyUnknown(n) {
		s.badMatcher(n, "match", one, nil)
		return false
	}
	if s.violatedMatch(n, guest) {
		return false
	}
	switch {
	case guest:
		return s.guestMatcher(step, n)
	case cel:
		return s.celMatcher(step, n.get("cel"))
	default:
		return s.patternMatcher(step, n)
	}
}

// onlyUnknown reports whether a map has nothing but keys that are reported
// anyway.
func (s *stepParser) onlyUnknown(n *node) bool {
	return len(n.entries) > 0 && !slices.ContainsFunc(n.entries, func(e entry) bool {
		return slices.Contains([]string{"args", "kwargs", "cel", "module", "handler"}, e.key)
	})
}

// violatedMatch notes what the schema objects to. That a form isn't complete is
// said in better words.
func (s *stepParser) violatedMatch(n *node, guest bool) bool {
	if guest && n.get("module") == nil {
		s.badMatcher(n, "match", "lacks the key module", nil)
		return true
	}
	field := at(s.field, "match")
	found := s.under(field)
	for _, v := range found {
		if v.field == field && len(found) > 1 {
			continue // none of the forms fits, because of what the others say
		}
		s.badMatcher(&node{position: v.position}, "match"+v.field[len(field):], v.message, v.err)
	}
	return len(found) > 0
}

func (s *stepParser) badMatcher(where *node, key, message string, cause error) {
	s.invalid(where, key, host.ReasonInvalidMatcher, matcherDetail, message, cause)
}

func (s *stepParser) guestMatcher(step *host.Step, n *node) bool {
	m, ok := s.moduleOf(n, "match", host.ReasonInvalidMatcher, matcherDetail)
	if !ok {
		return false
	}
	module := m.loaded
	switch {
	case module == nil:
		return s.runnableMatcher(step, m, n)
	case n.get("handler") == nil:
		s.badMatcher(n, "match", "lacks the key handler", nil)
		return false
	}
	matcher, err := module.Matcher(n.get("handler").text())
	if err == nil && !matcher.Serves(s.method) {
		err = mismatch(module, "matcher", n.get("handler").text(), s.method)
	}
	if err != nil {
		s.badMatcher(n.get("handler"), "match.handler", "can't be used: "+err.Error(), err)
		return false
	}
	step.Match = matcher
	return true
}

func (s *stepParser) celMatcher(step *host.Step, n *node) bool {
	matcher, err := expression.Compile(n.text())
	if err != nil {
		text := " " + err.Error()
		if strings.Contains(text, "\n") {
			text = strings.ReplaceAll("\n"+err.Error(), "\n", "\n\t")
		}
		s.badMatcher(n, "match.cel", "isn't a valid expression:"+text, err)
		return false
	}
	step.Match = matcher
	return true
}

func (s *stepParser) patternMatcher(step *host.Step, n *node) bool {
	c := fitting{mode: patterns}
	c.checkArgs(signatures[s.method], n.get("args"), "match.args")
	if kwargs := n.get("kwargs"); kwargs != nil {
		c.checkFields(signatures[s.method].kwargs, kwargs, "match.kwargs")
	}
	for _, m := range c.found {
		s.badMatcher(&node{position: m.position}, m.field, m.message, nil)
	}
	if len(c.found) > 0 {
		return false
	}
	var args any
	if list := n.get("args"); list != nil {
		args = list.plain()
	}
	matcher, err := pattern.New(args, n.get("kwargs").plainMap())
	if err != nil {
		field, message := "", err.Error()
		if bad, ok := errors.AsType[*pattern.Error](err); ok {
			field, message = bad.Field, withoutField(bad)
		}
		s.badMatcher(n.find(field), "match."+field, message, err)
		return false
	}
	step.Match = matcher
	return true
}

// withoutField is the text of a pattern's error without its field.
func withoutField(e *pattern.Error) string {
	return (&pattern.Error{Problem: e.Problem, Err: e.Err}).Error()
}

func nodeEntries(n *node) []entry {
	if n == nil {
		return nil
	}
	return n.entries
}

func count(conditions ...bool) int {
	n := 0
	for _, c := range conditions {
		if c {
			n++
		}
	}
	return n
}
