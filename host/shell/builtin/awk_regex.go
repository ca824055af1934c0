package builtin

import (
	"reflect"

	"github.com/benhoyt/goawk/lexer"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/regexpsize"
)

// An awkMatching checks regular expressions for the texts that they are for, which
// aren't known before both have been evaluated: one waits for the other.
type awkMatching struct {
	waiting []int
	sizes   map[string]int
}

// smallAwkRegex is the size of expressions that aren't looked at.
const smallAwkRegex = 12

// size is that of an expression.
func (m *awkMatching) size(pattern string) int {
	size, known := m.sizes[pattern]
	if !known {
		if size = regexpsize.Of(pattern); m.sizes == nil || len(m.sizes) > 100 {
			m.sizes = map[string]int{}
		}
		m.sizes[pattern] = size
	}
	return size
}

func (m *awkMatching) pop() (n int) {
	if last := len(m.waiting) - 1; last >= 0 {
		n, m.waiting = m.waiting[last], m.waiting[:last]
	}
	return n
}

// keep is for a text that will be compared with what re gets.
func (m *awkMatching) keep(text string) string {
	m.waiting = append(m.waiting, len(text))
	return text
}

func (m *awkMatching) re(pattern string) (string, error) {
	if m.size(pattern)*m.pop() > maxMatch {
		return "", errMatch
	}
	return pattern, nil
}

// keepRE is for an expression that will be compared with what growRE gets.
func (m *awkMatching) keepRE(pattern string) string {
	m.waiting = append(m.waiting, m.size(pattern))
	return pattern
}

func (m *awkMatching) growRE(with string, length float64) (string, error) {
	if float64(m.pop())*length > maxMatch {
		return "", errMatch
	}
	return awkGrow(with, length)
}

// smallPattern reports whether an expression needs no look.
func smallPattern(v reflect.Value) bool {
	text, written := writtenPattern(v)
	return written && regexpsize.Of(text) <= smallAwkRegex
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
		w.WriteString(", " + w.prefix + "re(")
		w.pattern(last)
		w.WriteString(")")
	} else {
		w.parts(", ", last)
	}
}
