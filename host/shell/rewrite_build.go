package shell

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What follows builds nodes.

func literal(s string) *syntax.Word {
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.Lit{Value: s}}}
}

func quoted(parts ...syntax.WordPart) *syntax.Word {
	if len(parts) == 1 {
		if _, ok := parts[0].(*syntax.DblQuoted); ok {
			return &syntax.Word{Parts: parts}
		}
	}
	return &syntax.Word{Parts: []syntax.WordPart{&syntax.DblQuoted{Parts: parts}}}
}

// bare is a word whose parts are expanded without being split or matched.
func bare(word *syntax.Word) *syntax.Word {
	out := &syntax.Word{}
	for _, part := range word.Parts {
		switch part.(type) {
		case *syntax.ParamExp:
			out.Parts = append(out.Parts, &syntax.DblQuoted{Parts: []syntax.WordPart{part}})
		case *syntax.Lit, *syntax.ExtGlob:
			text := &syntax.SglQuoted{Value: strings.Repeat("x", int(part.End().Offset()-part.Pos().Offset()))}
			out.Parts = append(out.Parts, text) // only its length matters
		default:
			out.Parts = append(out.Parts, part)
		}
	}
	return out
}

func call(words ...string) *syntax.CallExpr {
	c := &syntax.CallExpr{}
	for _, word := range words {
		c.Args = append(c.Args, literal(word))
	}
	return c
}

func stmt(c syntax.Command) *syntax.Stmt { return &syntax.Stmt{Cmd: c} }

func redirect(op syntax.RedirOperator, path string) *syntax.Redirect {
	return &syntax.Redirect{Op: op, Word: literal(path)}
}

func binary(op syntax.BinCmdOperator, x, y *syntax.Stmt) *syntax.Stmt {
	return stmt(&syntax.BinaryCmd{Op: op, X: x, Y: y})
}

func and(x, y *syntax.Stmt) *syntax.Stmt { return binary(syntax.AndStmt, x, y) }

// then runs a command after a statement, whatever its exit code is. It must give
// that exit code, or else be able to be run twice.
func then(x *syntax.Stmt, ok, failed *syntax.CallExpr) *syntax.Stmt {
	return binary(syntax.OrStmt, and(x, stmt(ok)), stmt(failed))
}

// block makes one command of statements.
func block(x ...*syntax.Stmt) *syntax.Block { return &syntax.Block{Stmts: x} }

// subshell runs a statement in a shell of its own.
func subshell(x *syntax.Stmt) *syntax.Stmt {
	switch c := x.Cmd.(type) {
	case *syntax.Subshell:
		if len(x.Redirs) == 0 && !x.Negated {
			return stmt(c)
		}
		x = stmt(block(x)) // two parentheses are arithmetic
	case *syntax.BinaryCmd, *syntax.ArithmCmd:
		x = stmt(block(x))
	}
	return stmt(&syntax.Subshell{Stmts: []*syntax.Stmt{x}})
}

// sequence is how many words {x..y} makes.
func sequence(b *syntax.BraceExp) int {
	from, err1 := strconv.ParseInt(b.Elems[0].Lit(), 10, 64)
	to, err2 := strconv.ParseInt(b.Elems[1].Lit(), 10, 64)
	if err1 != nil || err2 != nil { // letters
		from, to = int64(b.Elems[0].Lit()[0]), int64(b.Elems[1].Lit()[0])
	}
	step := int64(1)
	if len(b.Elems) > 2 {
		step, _ = strconv.ParseInt(b.Elems[2].Lit(), 10, 64)
	}
	if step < 0 {
		step = -step
	}
	if from > to {
		from, to = to, from
	}
	span := to - from
	if span < 0 || span > 1<<40 {
		return manyBraces
	}
	return int(min(span/max(step, 1)+1, manyBraces))
}
