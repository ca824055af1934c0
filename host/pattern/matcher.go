package pattern

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A Matcher is a [host.Matcher] that compares a call's arguments. It is
// immutable, and safe for concurrent use.
type Matcher struct {
	args   rule // nil: not looked at
	kwargs rule // nil: not looked at
}

// New makes a matcher of patterns for the arguments that [host.Call.Args] and
// [host.Call.Kwargs] show. What isn't mentioned isn't looked at.
//
// Positional arguments are a []any or []string, which is the whole list, or a
// map[int]any or map[string]any ("0": …) from positions to patterns, which leaves
// the others open. Nil is any. The error is an *[Error].
func New(args any, kwargs map[string]any) (*Matcher, error) {
	var m Matcher
	var err error
	if m.args, err = compileArgs(args); err != nil {
		return nil, err
	}
	if len(kwargs) > 0 {
		if m.kwargs, err = compileMap("kwargs", kwargs, 0); err != nil {
			return nil, err
		}
	}
	return &m, nil
}

// Must is for patterns in a program's own text: it panics if there is an error.
//
//	host.Step{…, Match: pattern.Must(pattern.New([]any{"pwd"}, nil))}
func Must(m *Matcher, err error) *Matcher {
	if err != nil {
		panic(err)
	}
	return m
}

// Match rejects a call whose arguments don't fit, and tells all differences.
func (m *Matcher) Match(_ context.Context, call host.Call) (host.Verdict, error) {
	var found []host.Difference
	if m.args != nil {
		found = m.args.compare(found, "args", call.Args())
	}
	if m.kwargs != nil {
		found = m.kwargs.compare(found, "kwargs", call.Kwargs())
	}
	switch len(found) {
	case 0:
		return host.Accept(), nil
	case 1:
		return host.Reject("an argument differs", found...), nil
	default:
		return host.Reject(strconv.Itoa(len(found))+" arguments differ", found...), nil
	}
}

func compileArgs(args any) (rule, error) {
	switch v := args.(type) {
	case nil:
		return nil, nil
	case []any, []string:
		return compile("args", v, 0)
	case map[int]any:
		return compilePositions(v)
	case map[string]any:
		byIndex := make(map[int]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			i, err := strconv.Atoi(key)
			if err != nil || strconv.Itoa(i) != key {
				return nil, &Error{Field: "args." + key, Problem: "isn't a position such as 0"}
			}
			byIndex[i] = v[key]
		}
		return compilePositions(byIndex)
	default:
		return nil, &Error{Field: "args", Problem: fmt.Sprintf(
			"must be a list, or a map from positions, not a value of the type %T", args)}
	}
}

func compilePositions(args map[int]any) (rule, error) {
	p := positions{indexes: slices.Sorted(maps.Keys(args)), rules: make(map[int]rule, len(args))}
	for _, i := range p.indexes {
		if i < 0 {
			return nil, &Error{Field: index("args", i), Problem: "isn't a position: they start at 0"}
		}
		r, err := compile(index("args", i), args[i], 0)
		if err != nil {
			return nil, err
		}
		p.rules[i] = r
	}
	return p, nil
}

// Exact is the pattern {exact: value}.
func Exact(value any) map[string]any { return map[string]any{"exact": value} }

// Glob is the pattern {glob: pattern}.
func Glob(pattern string) map[string]any { return map[string]any{"glob": pattern} }

// Regex is the pattern {regex: expression}.
func Regex(expression string) map[string]any { return map[string]any{"regex": expression} }

// Any is the pattern {any: true}.
func Any() map[string]any { return map[string]any{"any": true} }
