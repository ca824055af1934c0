package scripts

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/similar"
)

// The keys of maps that are rules, and those that fit more than text.
var (
	ruleNames    = []string{"any", "base64", "exact", "glob", "regex"}
	generalRules = []string{"any", "exact"}
)

// rule checks a map that is a rule, or should be one. It reports false for a map
// whose fields are patterns.
func (c *fitting) rule(s *shape, n *node, field string) bool {
	if len(n.entries) == 1 {
		e := n.entries[0]
		switch e.key {
		case "any":
			return true
		case "exact":
			inner := fitting{mode: exact}
			inner.check(s, e.value, at(field, e.key))
			c.found = append(c.found, inner.found...)
			return true
		case "glob", "regex", "base64":
			if s.kinds&isText == 0 {
				c.add(e.at, at(field, e.key), "fits only text, but it is compared with "+s.want)
			}
			return true
		}
	}
	if s.kinds&isMap != 0 {
		return false
	}
	c.notARule(s, n, field)
	return true
}

// notARule tells what is wrong with a map where only a rule can be one.
func (c *fitting) notARule(s *shape, n *node, field string) {
	known := generalRules
	if s.kinds&isText != 0 {
		known = ruleNames
	}
	if len(n.entries) == 0 || s.kinds&isText == 0 && !anyNear(n, known) {
		c.add(n.position, field, s.mismatch(n))
		return
	}
	before := len(c.found)
	for _, e := range n.entries {
		if !slices.Contains(known, e.key) {
			c.add(e.at, at(field, e.key), "is an unknown rule"+suggest(e.key, known))
		}
	}
	if len(c.found) == before {
		var names []string
		for _, e := range n.entries {
			names = append(names, e.key)
		}
		c.add(n.position, field, "can have one rule, not "+strings.Join(names, " and "))
	}
}

func anyNear(n *node, known []string) bool {
	return slices.ContainsFunc(n.entries, func(e entry) bool { return slices.Contains(known, e.key) || len(similar.Names(e.key, known)) > 0 })
}

// checkArgs compares positional arguments, or patterns for them, with those that
// a method has. That a list of values is too short is left to the host.
func (c *fitting) checkArgs(s *signature, n *node, name string) {
	if n == nil {
		return
	}
	switch n.kind {
	case listNode:
		for i, item := range n.items {
			c.check(s.arg(i), item, atIndex(name, i))
		}
		c.checkCount(s, n, name)
	case mapNode:
		for _, e := range n.entries {
			i, ok := argIndex(e.key)
			switch {
			case !ok: // reported by the pattern
			case s.has(i):
				c.check(s.arg(i), e.value, atIndex(name, i))
			default:
				c.add(e.at, atIndex(name, i), "isn't an argument of "+s.method.String()+", which has "+countOf(len(s.args), "positional argument"))
			}
		}
	}
}

func (c *fitting) checkCount(s *signature, n *node, name string) {
	if s.rest != nil || c.mode == values || len(n.items) == len(s.args) {
		return
	}
	message := "must have " + countOf(len(s.args), "value") + ", not " + strconv.Itoa(len(n.items))
	if len(n.items) < len(s.args) {
		message += "; a map such as {0: …} leaves the others open"
	}
	c.add(n.position, name, message)
}
