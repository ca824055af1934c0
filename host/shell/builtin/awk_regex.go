package builtin

import (
	"reflect"

	"github.com/benhoyt/goawk/lexer"
)

// An awkMatching checks regular expressions for the texts that they are for, which
// aren't known before both have been evaluated: one waits for the other.
type awkMatching struct {
	waiting []float64 // lengths of texts
	costs   []regexCost
	known   map[string]regexCost
}

// smallAwkRegex is the size of expressions that aren't looked at.
const smallAwkRegex = 12

// cost is that of an expression.
func (m *awkMatching) cost(pattern string) regexCost {
	cost, known := m.known[pattern]
	if !known {
		if cost = costOf(pattern); m.known == nil || len(m.known) > 100 {
			m.known = map[string]regexCost{}
		}
		m.known[pattern] = cost
	}
	return cost
}

func popLast[T any](stack *[]T) (top T) {
	if last := len(*stack) - 1; last >= 0 {
		top, *stack = (*stack)[last], (*stack)[:last]
	}
	return top
}

// keep is for a text that will be compared with what re or each gets.
func (m *awkMatching) keep(text string) string {
	m.waiting = append(m.waiting, float64(len(text)))
	return text
}

// re is for an expression of which one match is looked for.
func (m *awkMatching) re(pattern string) (string, error) {
	return pattern, withinMatch(m.cost(pattern).once().steps(popLast(&m.waiting)))
}

// each is for an expression of which all matches are looked for.
func (m *awkMatching) each(pattern string) (string, error) {
	return pattern, withinMatch(m.cost(pattern).steps(popLast(&m.waiting)))
}

// keepRE is for an expression that will be compared with what growRE gets.
func (m *awkMatching) keepRE(pattern string) string {
	m.costs = append(m.costs, m.cost(pattern))
	return pattern
}

func (m *awkMatching) growRE(with string, length float64) (string, error) {
	if err := withinMatch(popLast(&m.costs).steps(length)); err != nil {
		return "", err
	}
	return awkGrow(with, length)
}

func withinMatch(steps float64) error {
	if steps > maxMatch {
		return errMatch
	}
	return nil
}

// smallPattern reports whether an expression needs no look.
func smallPattern(v reflect.Value) bool {
	text, written := writtenPattern(v)
	if !written {
		return false
	}
	cost := costOf(text)
	return cost.size <= smallAwkRegex && !cost.again
}

// writtenPattern is an expression that is written out.
func writtenPattern(v reflect.Value) (string, bool) {
	switch e := v.Elem().Elem(); e.Type().Name() {
	case "StrExpr":
		return e.FieldByName("Value").String(), true
	case "RegExpr":
		return e.FieldByName("Regex").String(), true
	}
	return "", false
}

// pattern writes what is a regular expression for another text than $0.
func (w *awkWriter) pattern(v reflect.Value) {
	if text, written := writtenPattern(v); written && !smallPattern(v) {
		w.WriteString(awkQuote(text))
		return
	}
	w.expression(v)
}

// matching writes the operator ~ or !~.
func (w *awkWriter) matching(left reflect.Value, op string, right reflect.Value) {
	if smallPattern(right) {
		w.parts("(", left, " "+op+" ", right, ")")
		return
	}
	w.parts("("+w.prefix+"keep(", left, ") "+op+" "+w.prefix+"re(")
	w.pattern(right)
	w.WriteString("))")
}

// comparing writes the arguments of match and split.
func (w *awkWriter) comparing(function lexer.Token, args reflect.Value) {
	last := args.Index(args.Len() - 1)
	looked := args.Len() == 3 || function == lexer.F_MATCH
	if looked = looked && !smallPattern(last); looked {
		w.WriteString(w.prefix + "keep(")
	}
	if function == lexer.F_SPLIT {
		w.parts(w.prefix+"fit(", args.Index(0), ")")
	} else {
		w.expression(args.Index(0))
	}
	if looked {
		w.WriteString(")")
	}
	for i := 1; i < args.Len()-1; i++ {
		w.parts(", ", args.Index(i))
	}
	if looked {
		check := "re("
		if function == lexer.F_SPLIT {
			check = "each("
		}
		w.WriteString(", " + w.prefix + check)
		w.pattern(last)
		w.WriteString(")")
	} else {
		w.parts(", ", last)
	}
}
