package builtin

import (
	"reflect"

	"github.com/itchyny/gojq"
)

// guardQuery puts calls of the guard into a filter:
//
//	a + b     a + b | fit_, unless one is a number
//	a * b     times_(a; b) | .[0] * .[1] | fit_
//	a += b    b as $_ | a |= (. + $_ | fit_)
//	.[a]      .[a | index_]
//	a == b    compare_(a; b) == 0, and so on
//	a - b     minus_(a; b) | .[0] - .[1]
//	sort      small_ | sort, and what else compares all that a value has in it
//	index(a)  index(. as $_ | a | pair_($_))
//	"\(a)"    "\(a | short_)"
//	"\(a)b"   (a | short_ | tostring) + "b" | fit_
//	tojson    short_ | tojson
//	add       sum_ | add
//	explode   characters_ | explode
//	transpose grid_ | transpose
//	getpath(a) getpath(a | indexes_)
//	join(a)   join(. as $_ | a | joint_($_))
//	split(a)  split(. as $_ | a | parts_($_))
//	a / b     over_(a; b) | .[0] / .[1]
//	tonumber  digits_ | tonumber
//	test(a)   test(. as $_ | a | regex_($_))
//
// and flat_ before the bodies of functions, and what is called for many values.
func guardQuery(query *gojq.Query) { guardIn(reflect.ValueOf(query)) }

// guardIn goes through all that a filter consists of, the innermost first.
func guardIn(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return
		}
		guardIn(v.Elem())
		guardNode(v.Interface())
	case reflect.Struct:
		for i := range v.NumField() {
			if k := v.Field(i).Kind(); k == reflect.Pointer || k == reflect.Slice {
				guardIn(v.Field(i))
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			if v.Index(i).Kind() == reflect.Pointer {
				guardIn(v.Index(i))
			}
		}
	}
}

func guardNode(node any) {
	switch node := node.(type) {
	case *gojq.Query:
		guardOperation(node)
	case *gojq.FuncDef:
		node.Body = watched(node.Body)
	case *gojq.Reduce:
		node.Update = watched(node.Update)
	case *gojq.Foreach:
		node.Update = watched(node.Update)
	case *gojq.ObjectKeyVal:
		if key, ok := fitString(node.KeyString); ok {
			node.KeyString, node.KeyQuery = nil, key
		}
	case *gojq.Index:
		if key, ok := fitString(node.Str); ok {
			node.Str, node.Start = nil, key
		}
		if node.Start != nil && !node.IsSlice && !isSmall(node.Start) {
			node.Start = piped(node.Start, called("index_"))
		}
	case *gojq.String:
		for i, part := range node.Queries {
			if part.Term == nil || part.Term.Type != gojq.TermTypeString || len(part.Term.SuffixList) > 0 {
				node.Queries[i] = &gojq.Query{Term: wrapped(piped(part, called("short_")))}
			}
		}
	case *gojq.Term:
		guardTerm(node)
	}
}

// isSmall reports whether an index is written out, and harmless.
func isSmall(index *gojq.Query) bool {
	t := index.Term
	return t != nil && len(index.FuncDefs) == 0 && len(t.SuffixList) == 0 &&
		(t.Type == gojq.TermTypeNumber && len(t.Number) < 7 || t.Type == gojq.TermTypeString && t.Str.Queries == nil)
}

func guardOperation(q *gojq.Query) {
	if q.Right == nil {
		return
	}
	inner := &gojq.Query{Left: q.Left, Op: q.Op, Right: q.Right, Patterns: q.Patterns}
	switch q.Op {
	case gojq.OpAdd:
		if isNumber(q.Left) || isNumber(q.Right) {
			return
		}
		inner = piped(inner, called("fit_"))
	case gojq.OpMul:
		inner = piped(paired("times_", q.Left, q.Right, gojq.OpMul), called("fit_"))
	case gojq.OpSub:
		if isNumber(q.Left) || isNumber(q.Right) {
			return
		}
		inner = paired("minus_", q.Left, q.Right, gojq.OpSub)
	case gojq.OpDiv:
		if isNumber(q.Left) || isNumber(q.Right) {
			return
		}
		inner = paired("over_", q.Left, q.Right, gojq.OpDiv)
	case gojq.OpEq, gojq.OpNe, gojq.OpGt, gojq.OpLt, gojq.OpGe, gojq.OpLe:
		if isScalar(q.Left) || isScalar(q.Right) {
			return
		}
		order := called("compare_")
		order.Term.Func.Args = []*gojq.Query{q.Left, q.Right}
		inner = &gojq.Query{Left: order, Op: q.Op, Right: numeral("0")}
	case gojq.OpUpdateAdd:
		sum := &gojq.Query{Left: identity(), Op: gojq.OpAdd, Right: called("$update_")}
		inner = updated(q.Left, q.Right, piped(sum, called("fit_")))
	case gojq.OpUpdateMul:
		inner = updated(q.Left, q.Right, piped(paired("times_", identity(), called("$update_"), gojq.OpMul), called("fit_")))
	case gojq.OpUpdateDiv:
		inner = updated(q.Left, q.Right, paired("over_", identity(), called("$update_"), gojq.OpDiv))
	default:
		return
	}
	*q = gojq.Query{Meta: q.Meta, Imports: q.Imports, FuncDefs: q.FuncDefs, Term: wrapped(inner)}
}

// isNumber reports whether a filter is a number that is written out.
func isNumber(q *gojq.Query) bool {
	return q.Term != nil && q.Term.Type == gojq.TermTypeNumber && len(q.FuncDefs) == 0 && len(q.Term.SuffixList) == 0
}

// isScalar reports whether a filter is a number or a text that is written out, with which
// nothing takes long to compare.
func isScalar(q *gojq.Query) bool {
	return isNumber(q) || q.Term != nil && q.Term.Type == gojq.TermTypeString && q.Term.Str.Queries == nil &&
		len(q.FuncDefs) == 0 && len(q.Term.SuffixList) == 0
}

// paired is an operation of two values, which a function looks at and gives as an array.
func paired(function string, a, b *gojq.Query, op gojq.Operator) *gojq.Query {
	pair := called(function)
	pair.Term.Func.Args = []*gojq.Query{a, b}
	return piped(pair, &gojq.Query{Left: element("0"), Op: op, Right: element("1")})
}

func updated(target, by, with *gojq.Query) *gojq.Query {
	return &gojq.Query{
		Left: by, Op: gojq.OpPipe, Patterns: []*gojq.Pattern{{Name: "$update_"}},
		Right: &gojq.Query{Left: target, Op: gojq.OpModify, Right: &gojq.Query{Term: wrapped(with)}},
	}
}

func guardTerm(t *gojq.Term) {
	var before string
	switch {
	case t.Str != nil && len(t.Str.Queries) > 1:
		*t = gojq.Term{Type: gojq.TermTypeQuery, Query: fitting(t.Str, t.Format), SuffixList: t.SuffixList}
		return
	case t.Type == gojq.TermTypeFormat && t.Str == nil:
		before = "short_"
	case t.Type != gojq.TermTypeFunc:
		return
	case t.Func.Name == "tojson" || t.Func.Name == "tostring":
		before = "short_"
	case t.Func.Name == "add" && len(t.Func.Args) == 0:
		before = "sum_"
	case t.Func.Name == "transpose":
		before = "grid_"
	case t.Func.Name == "explode":
		before = "characters_"
	case jqComparing[t.Func.Name] && len(t.Func.Args) == 0:
		before = "small_"
	case t.Func.Name == "tonumber" || t.Func.Name == "fromjson":
		before = "digits_"
	case t.Func.Name == "setpath" && len(t.Func.Args) == 2, t.Func.Name == "getpath" && len(t.Func.Args) == 1:
		t.Func.Args[0] = piped(t.Func.Args[0], called("indexes_"))
		return
	default:
		if n := len(t.Func.Args); n > 0 && jqMatching[t.Func.Name] && (t.Func.Name != "split" || n > 1) {
			defer func() { t.Func.Args[0] = asked("regex_", t.Func.Args[0]) }()
		}
		if question := jqLengths[t.Func.Name]; question != "" && len(t.Func.Args) == 1 {
			defer func() { t.Func.Args[0] = asked(question, t.Func.Args[0]) }()
		}
		if jqSearching[t.Func.Name] && len(t.Func.Args) == 1 {
			defer func() { t.Func.Args[0] = asked("pair_", t.Func.Args[0]) }()
		}
		if jqComparing[t.Func.Name] && len(t.Func.Args) == 1 {
			defer func() { t.Func.Args[0] = piped(t.Func.Args[0], called("small_")) }()
		}
		for i, arg := range t.Func.Args {
			if t.Func.Name != "times_" && !isPlain(arg) {
				t.Func.Args[i] = watched(arg)
			}
		}
		return
	}
	inner := *t
	inner.SuffixList = nil
	*t = gojq.Term{Type: gojq.TermTypeQuery, Query: piped(called(before), &gojq.Query{Term: &inner}), SuffixList: t.SuffixList}
}

// jqMatching are the functions whose first argument is a regular expression.
var jqMatching = map[string]bool{
	"test": true, "match": true, "capture": true, "scan": true, "split": true, "splits": true, "sub": true, "gsub": true,
}

// jqComparing are the functions that compare what is in a value, or what they make of
// that, and flatten, which looks at it all.
var jqComparing = map[string]bool{
	"sort": true, "unique": true, "min": true, "max": true, "flatten": true,
	"sort_by": true, "unique_by": true, "min_by": true, "max_by": true, "group_by": true, "bsearch": true,
}

// jqSearching are the functions that look for a value in another one.
var jqSearching = map[string]bool{"contains": true, "inside": true, "index": true, "rindex": true, "indices": true}

// jqLengths are the functions whose argument says how large a result is, and what asks for that.
var jqLengths = map[string]string{"join": "joint_", "split": "parts_"}

// asked has a function look at an argument and at what it is for.
func asked(function string, argument *gojq.Query) *gojq.Query {
	check := called(function)
	check.Term.Func.Args = []*gojq.Query{called("$subject_")}
	return &gojq.Query{Term: wrapped(&gojq.Query{
		Left: identity(), Op: gojq.OpPipe, Patterns: []*gojq.Pattern{{Name: "$subject_"}}, Right: piped(argument, check),
	})}
}

// isPlain reports whether an argument is a variable or written out.
func isPlain(arg *gojq.Query) bool {
	t := arg.Term
	if t == nil || len(arg.FuncDefs) > 0 {
		return false
	}
	return t.Type == gojq.TermTypeNumber || t.Type == gojq.TermTypeIdentity ||
		t.Type == gojq.TermTypeString && t.Str.Queries == nil || t.Type == gojq.TermTypeFunc && t.Func.Name[0] == '$'
}

// watched has flat_ look at what a filter is given. It stays one for paths.
func watched(q *gojq.Query) *gojq.Query {
	if q == nil {
		return nil
	}
	return &gojq.Query{Term: wrapped(&gojq.Query{
		Left: called("flat_"), Op: gojq.OpPipe, Patterns: []*gojq.Pattern{{Name: "$flat_"}}, Right: q,
	})}
}

func piped(left, right *gojq.Query) *gojq.Query {
	return &gojq.Query{Left: &gojq.Query{Term: wrapped(left)}, Op: gojq.OpPipe, Right: right}
}

func wrapped(q *gojq.Query) *gojq.Term { return &gojq.Term{Type: gojq.TermTypeQuery, Query: q} }

func called(name string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeFunc, Func: &gojq.Func{Name: name}}}
}

func identity() *gojq.Query { return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIdentity}} }

func element(index string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeIndex, Index: &gojq.Index{Start: numeral(index)}}}
}

func numeral(text string) *gojq.Query {
	return &gojq.Query{Term: &gojq.Term{Type: gojq.TermTypeNumber, Number: text}}
}
