package scripts

import (
	"slices"
	"strconv"
)

// A shape is what a part of a call or of a result can be: what a value has to be
// like, and what a pattern has to be like to have a chance to fit.
type shape struct {
	want     string             // to be read after "must be"
	kinds    kinds              // which kinds of values it can be
	valid    func(n *node) bool // whether a scalar of these kinds will do; nil: any
	choices  []string           // all that a text can be; nil: any
	items    *shape             // of a list; nil: anything
	fields   []field            // of a map; nil: anything
	stranger string             // what a field is that isn't known; "": an unknown key
	single   bool               // in calls and results, one map stands for a list of it
}

// A field is one key of a map.
type field struct {
	name  string
	shape *shape
	needs fieldNeeds
}

type fieldNeeds uint8

const (
	shown    fieldNeeds = iota // may be left out or null, and is always shown
	given                      // must be there, and is always shown
	optional                   // may be left out or null, and is then not shown
)

// kinds is a set of kinds of values.
type kinds uint8

const (
	isNull kinds = 1 << iota
	isBool
	isNumber
	isText
	isList
	isMap
)

func (n *node) kinds() kinds {
	switch n.kind {
	case listNode:
		return isList
	case mapNode:
		return isMap
	}
	switch n.value.(type) {
	case nil:
		return isNull
	case bool:
		return isBool
	case string:
		return isText
	default:
		return isNumber
	}
}

// A misfit is a place where something can't be what its shape wants.
type misfit struct {
	position
	field   string
	message string
}

// A fitting compares nodes with shapes, and collects what doesn't fit.
type fitting struct {
	mode  fittingMode
	found []misfit
}

type fittingMode uint8

const (
	values   fittingMode = iota // of calls and results
	patterns                    // which have rules
	exact                       // within {exact: …}
)

func (c *fitting) add(where position, field, message string) {
	c.found = append(c.found, misfit{where, field, message})
}

// check compares a node with a shape; nil is anything.
func (c *fitting) check(s *shape, n *node, field string) {
	switch {
	case s == nil:
	case c.mode == patterns && n.kind == mapNode && c.rule(s, n, field):
	case c.mode == values && s.single && n.kind == mapNode:
		c.check(s.items, n, atIndex(field, 0))
	case s.kinds&n.kinds() == 0:
		c.add(n.position, field, s.mismatch(n))
	case n.kind == listNode:
		for i, item := range n.items {
			c.check(s.items, item, atIndex(field, i))
		}
	case n.kind == mapNode:
		c.checkFields(s, n, field)
	case s.valid != nil && !n.isNull() && !s.valid(n):
		c.add(n.position, field, "must be "+s.want)
	case s.choices != nil && !slices.Contains(s.choices, n.text()):
		c.add(n.position, field, "can't be "+n.text()+suggest(n.text(), s.choices))
	}
}

func (c *fitting) checkFields(s *shape, n *node, name string) {
	if s.fields == nil {
		return
	}
	for _, e := range n.entries {
		f := s.field(e.key)
		switch {
		case f == nil:
			c.add(e.at, at(name, e.key), c.unknownField(s, e.key))
		case c.mode == values && f.needs != given && e.value.isNull():
		default:
			c.check(f.shape, e.value, at(name, e.key))
		}
	}
	for _, f := range s.fields {
		if c.mode == exact && f.needs != optional && n.get(f.name) == nil {
			c.add(n.position, name, "lacks the key "+f.name+", which is always there")
		}
	}
}

func (c *fitting) unknownField(s *shape, key string) string {
	names := s.names()
	if c.mode == patterns && s.kinds&isText != 0 {
		if slices.Contains(ruleNames, key) {
			return "is a rule, which can't have other keys beside it"
		}
		names = slices.Compact(slices.Sorted(slices.Values(append(names, ruleNames...))))
	}
	what := s.stranger
	if what == "" {
		what = "is an unknown key"
	}
	return what + suggestKey(key, names)
}

func (s *shape) field(name string) *field {
	for i := range s.fields {
		if s.fields[i].name == name {
			return &s.fields[i]
		}
	}
	return nil
}

func (s *shape) names() []string {
	names := make([]string, len(s.fields))
	for i, f := range s.fields {
		names[i] = f.name
	}
	return names
}

// mismatch says that a value is of another kind, and how to write what was
// probably meant.
func (s *shape) mismatch(n *node) string {
	text, isString := n.value.(string)
	switch {
	case s.kinds&isText != 0 && n.raw != "" && !n.isNull():
		return "must be text; quote it: " + strconv.Quote(n.raw)
	case isString && s.kinds&isNumber != 0 && isNumeral(text), isString && s.kinds&isBool != 0 && (text == "true" || text == "false"):
		return "must be " + s.want + "; remove the quotes"
	case s.kinds&(isMap|isText) == isMap:
		return "must be " + s.want + ", not " + n.describeForMap()
	default:
		return "must be " + s.want + ", not " + n.describe()
	}
}

func isNumeral(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}
