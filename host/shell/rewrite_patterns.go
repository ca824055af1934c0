package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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
