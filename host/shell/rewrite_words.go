package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Expansions that are split into words weigh more: each word takes memory.
const (
	weightQuoted   = 1
	weightUnquoted = 4
)

// Names of variables that the environment of a run has, in place of some that the
// interpreter takes from the host.
var renamed = map[string]string{
	"$": "__SH_PID", "PPID": "__SH_PPID", "RANDOM": "__SH_RANDOM", "SRANDOM": "__SH_SRANDOM", "BASHPID": "__SH_PID",
}

// statusName is $? as it was before a guard.
const statusName = "__SH_STATUS"

func (w *rewriter) enterWord(word *syntax.Word) {
	times := w.times()
	if w.isExpanded() {
		if openings(word) > maxOpenings && w.err == nil {
			w.err = w.run.exceeded("nesting", maxOpenings)
			return
		}
		words := braces(word)
		if words > maxBraces && w.splits() && w.err == nil { // the interpreter would make none of it
			w.err = w.run.exceeded("braces", maxBraces)
			return
		}
		times = min(times*max(words, 1), 1<<30)
	}
	w.count = append(w.count, times)
	f := w.current()
	f.elements += times
	for _, part := range word.Parts {
		f.text += min(times*int(part.End().Offset()-part.Pos().Offset()), 1<<30)
	}
	if f.elements > maxElements || f.text > maxText {
		if w.err == nil {
			w.err = w.run.exceeded("arguments", int64(w.run.limits.Arguments))
		}
	}
}

// maxOpenings is how many opening braces a word may have: looking for their ends
// takes long.
const maxOpenings = 256

func openings(word *syntax.Word) (n int) {
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok {
			n += strings.Count(lit.Value, "{")
		}
	}
	return n
}

// isExpanded reports whether braces mean something in the word that was entered.
func (w *rewriter) isExpanded() bool {
	if len(w.nodes) < 2 {
		return false
	}
	switch w.nodes[len(w.nodes)-2].(type) {
	case *syntax.CallExpr, *syntax.WordIter, *syntax.ArrayElem, *syntax.Assign, *syntax.DeclClause:
		return true
	}
	return false
}

// enterExtended has a look taken at whether extended patterns are asked for: without that,
// what has one isn't run, and the interpreter takes that for a success.
func (w *rewriter) enterExtended() {
	if len(w.nodes) < 3 {
		return
	}
	switch w.nodes[len(w.nodes)-3].(type) { // what the word is of
	case *syntax.CallExpr, *syntax.WordIter, *syntax.ArrayElem:
		w.current().extended = true
	}
}

// splits reports whether the word that was entered may become several: the value of an
// assignment doesn't.
func (w *rewriter) splits() bool {
	if len(w.nodes) < 3 {
		return true
	}
	assign, ok := w.nodes[len(w.nodes)-2].(*syntax.Assign)
	return !ok || assign.Name == nil
}

// The most words and bytes that braces of one statement may make.
const (
	maxElements = 1 << 18
	maxText     = 64 << 20
)

// braces is how many words there will be of a word with braces, without those that
// aren't more than the interpreter allows.
func braces(word *syntax.Word) int {
	found := false
	for _, part := range word.Parts {
		if lit, ok := part.(*syntax.Lit); ok && strings.Contains(lit.Value, "{") {
			found = true
		}
	}
	if !found {
		return 1
	}
	split := *word
	split.Parts = append([]syntax.WordPart(nil), word.Parts...)
	if !syntax.SplitBraces(&split) {
		return 1
	}
	return product(&split, 0)
}

const (
	// maxBraces is how many words of one the interpreter makes.
	maxBraces = 1 << 14
	// manyBraces is all that is more.
	manyBraces = maxBraces + 1
)

func product(word *syntax.Word, depth int) int {
	total := 1
	for _, part := range word.Parts {
		exp, ok := part.(*syntax.BraceExp)
		if !ok {
			continue
		}
		sum := 0
		for _, elem := range exp.Elems {
			if depth > maxNesting {
				return manyBraces
			}
			sum += product(elem, depth+1)
		}
		if exp.Sequence {
			sum = manyBraces // at most, and it is only a bound
			if n := sequence(exp); n < sum {
				sum = n
			}
		}
		total = min(total*max(sum, 1), manyBraces)
	}
	return total
}

func (w *rewriter) enterParam(n *syntax.ParamExp) {
	f := w.current()
	f.weight += w.times() * w.weight()
	if n.Param == nil {
		w.refuse("this expansion", n.Pos())
		return
	}
	switch name := n.Param.Value; {
	case n.Excl && n.Names == 0 && n.Index == nil:
		f.indirect = append(f.indirect, n)
	case n.Index != nil && (n.Excl || n.Length && isAll(n.Index)):
		f.keys = append(f.keys, name)
		n.Excl, n.Param.Value = false, keysPrefix+name
	case name == "?" && n.Exp == nil && !n.Length:
		f.statuses = append(f.statuses, n)
	case renamed[name] != "":
		n.Short, n.Param.Value = false, renamed[name]
	}
	if n.Repl != nil {
		w.enterPattern(n.Repl.Orig, plain(n))
		w.enterText(n.Repl.Orig)
		w.enterReplacement(n, f)
	}
	if n.Exp != nil {
		w.enterExpansion(n, f)
	}
}

// keysPrefix begins the names of arrays with the keys of others.
const keysPrefix = "__SH_KEYS_"

// isAll reports whether a subscript means all elements.
func isAll(index syntax.ArithmExpr) bool {
	word, ok := index.(*syntax.Word)
	return ok && (word.Lit() == "@" || word.Lit() == "*")
}

func (w *rewriter) enterExpansion(n *syntax.ParamExp, f *facts) {
	switch n.Exp.Op {
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		f.assigns = true
		f.changed = append(f.changed, n.Param.Value)
	case syntax.RemSmallPrefix, syntax.RemLargePrefix, syntax.RemSmallSuffix, syntax.RemLargeSuffix,
		syntax.UpperFirst, syntax.UpperAll, syntax.LowerFirst, syntax.LowerAll:
		w.enterPattern(n.Exp.Word, plain(n))
		w.enterText(n.Exp.Word)
	case syntax.OtherParamOps:
		if word := n.Exp.Word; word != nil && (word.Lit() == "P" || word.Lit() == "K" || word.Lit() == "k") {
			w.refuse("@"+word.Lit(), n.Pos())
		}
	}
}

// smallPattern is so short that it needs no look.
const smallPattern = 64

// A pattern is what a text is compared with.
type pattern struct {
	kind    string // pattern or regexp
	word    *syntax.Word
	subject *syntax.Word // nil: not known
}

// plain is an expansion without what is done with it.
func plain(n *syntax.ParamExp) *syntax.Word {
	of := *n
	of.Repl, of.Exp = nil, nil
	if of.Param.Value == "@" { // one word for all
		of.Param = &syntax.Lit{Value: "*"}
	}
	if of.Index != nil && isAll(of.Index) {
		of.Index = &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: "*"}}}
	}
	return quoted(&of)
}

// subject is what the case statement around a pattern is about.
func (w *rewriter) subject() *syntax.Word {
	for i := len(w.nodes) - 1; i >= 0; i-- {
		if n, ok := w.nodes[i].(*syntax.CaseClause); ok {
			return n.Word
		}
	}
	return nil
}

// runs reports whether the expansion of a word does something.
func runs(word *syntax.Word) (does bool) {
	syntax.Walk(word, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.CmdSubst, *syntax.ArithmExp:
			does = true
		case *syntax.ParamExp:
			if n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				does = true
			}
		}
		return true
	})
	return does
}

// compare has a look taken at a pattern and what is compared with it.
func (w *rewriter) compare(kind string, word, subject *syntax.Word) {
	if subject != nil && runs(subject) {
		subject = nil
	} else if subject != nil {
		subject = bare(subject)
	}
	w.current().patterns = append(w.current().patterns, pattern{kind, word, subject})
}

// exact is a word whose parts are expanded without being split or matched.
func exact(word *syntax.Word) *syntax.Word {
	out := &syntax.Word{}
	for _, part := range word.Parts {
		switch part.(type) {
		case *syntax.DblQuoted, *syntax.SglQuoted:
			out.Parts = append(out.Parts, part)
		default:
			out.Parts = append(out.Parts, &syntax.DblQuoted{Parts: []syntax.WordPart{part}})
		}
	}
	return out
}

// enterRegexp has regular expressions looked at, unless they are small.
func (w *rewriter) enterRegexp(n *syntax.BinaryTest) {
	word, ok := n.Y.(*syntax.Word)
	if !ok || runs(word) {
		return
	}
	if lit := word.Lit(); lit != "" && len(lit) <= smallRegexp && !strings.Contains(lit, "{") {
		return
	}
	subject, _ := n.X.(*syntax.Word)
	w.compare("regexp", exact(word), subject)
}

// smallRegexp is how long a regular expression may be that needs no look.
const smallRegexp = 32

// enterPattern has patterns looked at that may be long: matching takes longer than
// their length. One with a command in it isn't, as that would be run twice.
func (w *rewriter) enterPattern(word, subject *syntax.Word) {
	if word == nil {
		return
	}
	varies, runs := int(word.End().Offset()-word.Pos().Offset()) > smallPattern, false
	syntax.Walk(word, func(node syntax.Node) bool {
		switch node.(type) {
		case *syntax.ParamExp:
			varies = true
		case *syntax.CmdSubst, *syntax.ArithmExp:
			runs = true
		}
		return true
	})
	if varies && !runs {
		w.compare("pattern", bare(word), subject)
	}
}

// enterText has patterns of expansions looked at that may be no text. One with a command in
// it isn't, as in enterPattern.
func (w *rewriter) enterText(word *syntax.Word) {
	if word == nil || runs(word) {
		return
	}
	varies := false
	syntax.Walk(word, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.ParamExp:
			varies = true
		case *syntax.SglQuoted:
			varies = varies || n.Dollar
		}
		return true
	})
	if varies {
		w.current().texts = append(w.current().texts, bare(word))
	}
}

// notText is what is refused that has bytes which aren't of a character.
const notText = "a pattern that isn't text"

// smallReplacement is so short that what it makes isn't much larger.
const smallReplacement = 16

func (w *rewriter) enterReplacement(n *syntax.ParamExp, f *facts) {
	with := n.Repl.With
	if with == nil {
		return
	}
	lit := true
	syntax.Walk(with, func(node syntax.Node) bool {
		switch node.(type) {
		case *syntax.CmdSubst:
			w.refuse("a command substitution as a replacement", n.Pos())
		case *syntax.ParamExp, *syntax.ArithmExp:
			lit = false
		}
		return true
	})
	if lit && int(with.End().Offset()-with.Pos().Offset()) <= smallReplacement {
		return
	}
	of := *n
	of.Repl = nil
	f.products = append(f.products, [2]*syntax.Word{quoted(&of), quoted(with.Parts...)})
}

// weight of an expansion, by whether it is in double quotes.
func (w *rewriter) weight() int {
	for i := len(w.nodes) - 1; i >= 0; i-- {
		switch w.nodes[i].(type) {
		case *syntax.DblQuoted, *syntax.Assign, *syntax.Redirect, *syntax.ArithmExp:
			return weightQuoted
		case *syntax.Stmt:
			return weightUnquoted
		}
	}
	return weightUnquoted
}

// largeLiteral is a value that is looked at even though nothing is expanded in it.
const largeLiteral = 4096

func (w *rewriter) enterAssign(n *syntax.Assign) {
	if n.Array != nil && w.isAssociative(n.Array) {
		for _, elem := range n.Array.Elems {
			if _, ok := elem.Index.(*syntax.Word); !ok {
				w.refuse("an element of an associative array without a key", elem.Pos())
			}
		}
	}
	if n.Name == nil && n.Naked && w.declares() && n.Value != nil && n.Value.Lit() == "" {
		w.current().changed = append(w.current().changed, anyVariable)
	}
	if n.Name == nil {
		return
	}
	grows := n.Append || int(n.End().Offset()-n.Pos().Offset()) > largeLiteral
	syntax.Walk(n, func(node syntax.Node) bool {
		switch node.(type) {
		case *syntax.ParamExp, *syntax.CmdSubst:
			grows = true
		}
		return !grows
	})
	if grows {
		w.current().changed = append(w.current().changed, n.Name.Value)
	}
}

// anyVariable stands for one whose name isn't known before.
const anyVariable = "."

// declares reports whether the assignment that was entered is one of declare.
func (w *rewriter) declares() bool {
	if len(w.nodes) < 2 {
		return false
	}
	_, ok := w.nodes[len(w.nodes)-2].(*syntax.DeclClause)
	return ok
}

// isAssociative reports whether the interpreter will take an array for one with
// keys.
func (w *rewriter) isAssociative(array *syntax.ArrayExpr) bool {
	for _, node := range w.nodes[max(len(w.nodes)-2, 0):] {
		if decl, ok := node.(*syntax.DeclClause); ok {
			for _, arg := range decl.Args {
				if arg.Naked && arg.Name == nil && strings.Contains(arg.Value.Lit(), "A") {
					return true
				}
			}
		}
	}
	if len(array.Elems) == 0 {
		return false
	}
	word, ok := array.Elems[0].Index.(*syntax.Word)
	if !ok || len(word.Parts) != 1 {
		return false
	}
	switch word.Parts[0].(type) {
	case *syntax.DblQuoted, *syntax.SglQuoted:
		return true
	}
	return false
}
