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

// statusesName has the exit codes of the last pipeline.
const statusesName = "__SH_PIPESTATUS"

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
	w.enterName(n, f)
	w.enterIndex(n.Param, n.Index)
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
		if first, ok := begins(n.Repl.Orig); ok && !n.Repl.All && (first == '#' || first == '%') {
			w.refuse("a replacement at the beginning or the end", n.Pos())
		}
		w.enterPattern(n.Repl.Orig, plain(n))
		w.enterText(n.Repl.Orig)
		w.enterReplacement(n, f)
	}
	if n.Exp != nil {
		w.enterExpansion(n, f)
	}
}

// enterName gives another name to what the interpreter doesn't have.
func (w *rewriter) enterName(n *syntax.ParamExp, f *facts) {
	switch n.Param.Value {
	case "PIPESTATUS":
		f.piped = true
		n.Short, n.Param.Value = false, statusesName
	case "BASH_SOURCE":
		if word, ok := n.Index.(*syntax.Word); w.file != "" && !n.Excl && (n.Index == nil || ok && word.Lit() == "0") {
			n.Short, n.Index, n.Param.Value = false, nil, sourceName(w.file)
		}
	}
}

// keysPrefix begins the names of arrays with the keys of others.
const keysPrefix = "__SH_KEYS_"

// isAll reports whether a subscript means all elements.
func isAll(index syntax.ArithmExpr) bool {
	word, ok := index.(*syntax.Word)
	return ok && (word.Lit() == "@" || word.Lit() == "*")
}

// begins is the first byte of a word, if it is not quoted.
func begins(word *syntax.Word) (byte, bool) {
	if word == nil || len(word.Parts) == 0 {
		return 0, false
	}
	lit, ok := word.Parts[0].(*syntax.Lit)
	if !ok || lit.Value == "" {
		return 0, false
	}
	return lit.Value[0], true
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
	w.enterIndex(n.Name, n.Index)
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
