package shell

import (
	"slices"
	"strconv"

	"mvdan.cc/sh/v3/syntax"
)

func (w *rewriter) enterStmt(n *syntax.Stmt) {
	if n.Coprocess {
		w.refuse("coproc", n.Pos())
	}
	w.enterElement(n)
	kept := n.Redirs[:0]
	for _, rd := range n.Redirs {
		if !isStandard(rd) {
			w.refuse("a file descriptor above 2", rd.Pos())
		}
		switch rd.Op {
		case syntax.RdrClob:
			rd.Op = syntax.RdrOut
		case syntax.RdrInOut:
			w.refuse("<>", rd.Pos())
		case syntax.RdrIn:
			if rd.Word.Lit() == "/dev/stdin" {
				continue
			}
		case syntax.DplIn:
			if rd.Word.Lit() == "0" && (rd.N == nil || rd.N.Value == "0") {
				continue
			}
		case syntax.DplOut:
			if isFileName(rd) {
				rd.Op, rd.N = syntax.RdrAll, nil
			}
		}
		kept = append(kept, rd)
	}
	n.Redirs = kept
}

// isStandard reports whether what is redirected, and where to, is one of the standard input
// and outputs, or no file descriptor.
func isStandard(rd *syntax.Redirect) bool {
	if rd.N != nil && !slices.Contains([]string{"0", "1", "2"}, rd.N.Value) {
		return false
	}
	if rd.Op != syntax.DplOut && rd.Op != syntax.DplIn {
		return true
	}
	n, err := strconv.Atoi(rd.Word.Lit())
	return err != nil || n <= 2
}

// isFileName reports whether >& is followed by a file's name, and so means &>.
func isFileName(rd *syntax.Redirect) bool {
	word := rd.Word.Lit()
	_, err := strconv.Atoi(word)
	return word != "" && word != "-" && err != nil && (rd.N == nil || rd.N.Value == "1")
}

func (w *rewriter) enterFor(n *syntax.ForClause) {
	if n.Select {
		w.refuse("select", n.Pos())
		return
	}
	items, ok := n.Loop.(*syntax.WordIter)
	if !ok {
		return
	}
	for _, item := range items.Items {
		if item.Lit() == "" {
			n.Do = append([]*syntax.Stmt{stmt(call(":check", items.Name.Value))}, n.Do...)
			return
		}
	}
}

// leaveStmt changes a statement in which all statements are changed already.
func (w *rewriter) leaveStmt(n *syntax.Stmt, f *facts) {
	switch c := n.Cmd.(type) {
	case *syntax.BinaryCmd:
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			n.Cmd = w.pipeline(n, c).Cmd
		} else {
			w.group(c.X)
			w.group(c.Y)
		}
	case *syntax.CallExpr:
		w.leaveLoop(n, c)
	case *syntax.DeclClause:
		w.leaveDeclaration(n, c)
	case *syntax.TimeClause:
		n.Cmd = timed(c).Cmd
	case *syntax.ForClause:
		if loop, counts := c.Loop.(*syntax.CStyleLoop); counts {
			n.Cmd = counting(loop, c.Do, w.before(n, f) != nil, w.tested(n))
		}
	}
	if n.Negated {
		inner := *n
		inner.Negated, inner.Background, inner.Disown = false, false, false
		n.Redirs = nil
		n.Cmd = block(untested(&inner))
	}
	w.guard(n, f)
	if n.Background || n.Disown {
		inner := *n
		inner.Background, inner.Disown = false, false
		job := subshell(&inner)
		job.Redirs = []*syntax.Redirect{redirect(syntax.RdrIn, "/dev/null")}
		*n = syntax.Stmt{Position: n.Position, Comments: n.Comments, Cmd: then(job, call(":job"), call(":job")).Cmd}
	}
}

// group puts braces around what a statement was changed to, if it is to be joined
// to others in text.
func (w *rewriter) group(x *syntax.Stmt) {
	if c, ok := x.Cmd.(*syntax.BinaryCmd); ok && w.printed && !c.OpPos.IsValid() {
		x.Cmd = block(stmt(c))
	}
}

// enterPipe notes which stage of a pipeline is one itself.
func (w *rewriter) enterPipe(n *syntax.BinaryCmd) {
	if x, ok := n.X.Cmd.(*syntax.BinaryCmd); ok && isPipe(n) && isPipe(x) {
		if w.pipes == nil {
			w.pipes = map[*syntax.Stmt]bool{}
		}
		w.pipes[n.X] = true
	}
}

// pipeline runs one command into memory, and then another one with that as its
// input.
func (w *rewriter) pipeline(n *syntax.Stmt, c *syntax.BinaryCmd) *syntax.Stmt {
	stage := call(":stage")
	if w.pipes[c.X] {
		stage = call(":stage", "pipeline")
	}
	if w.tested(n) {
		c.X, c.Y = untested(c.X), untested(c.Y)
	}
	if c.Op == syntax.PipeAll {
		c.X.Redirs = append(c.X.Redirs, &syntax.Redirect{Op: syntax.DplOut, N: &syntax.Lit{Value: "2"}, Word: literal("1")})
	}
	first, last := subshell(c.X), subshell(c.Y)
	first.Redirs = []*syntax.Redirect{redirect(syntax.RdrOut, stagePath)}
	last.Redirs = []*syntax.Redirect{redirect(syntax.RdrIn, stagePath)}
	return and(
		then(first, stage, stage),
		then(last, call(":pipeline"), call(":pipeline", "again")),
	)
}

func timed(c *syntax.TimeClause) *syntax.Stmt {
	body := c.Stmt
	if body == nil {
		body = stmt(call(":"))
	}
	end := call(":timed")
	if c.PosixFormat {
		end = call(":timed", "-p")
	}
	return and(stmt(call(":time")), then(body, end, end))
}

// maxUnguarded is the weight of expansions that needs no look at how large the
// variables are.
const maxUnguarded = 16

// guard has a look before a statement at what it will expand, and after it at what
// it has changed.
func (w *rewriter) guard(n *syntax.Stmt, f *facts) {
	if len(f.changed) > 0 {
		after := call(append([]string{":check"}, f.changed...)...)
		wrap(n, func(inner *syntax.Stmt) *syntax.Stmt { return then(inner, after, after) })
	}
	for _, key := range f.keys {
		before := stmt(call(":keys", key))
		wrap(n, func(inner *syntax.Stmt) *syntax.Stmt { return and(before, inner) })
	}
	before := w.before(n, f)
	if before == nil {
		return
	}
	wrap(n, func(inner *syntax.Stmt) *syntax.Stmt { return and(stmt(before), inner) })
	for _, status := range f.statuses {
		status.Short, status.Param.Value = false, statusName
	}
}

// before is the command that looks at what is to be expanded, or nil.
func (w *rewriter) before(n *syntax.Stmt, f *facts) *syntax.CallExpr {
	guard := call(":guard", strconv.Itoa(f.weight))
	if name := guard.Args[0].Parts[0].(*syntax.Lit); !w.printed {
		name.ValuePos = n.Position // for messages
	}
	needed := f.weight > maxUnguarded || len(f.keys) > 0 && len(f.statuses) > 0
	for _, p := range f.products {
		needed = true
		guard.Args = append(guard.Args, literal("times"), p[0], p[1])
	}
	for _, p := range f.patterns {
		needed = true
		kind, subject := p.kind, p.subject
		if subject == nil {
			kind, subject = kind+"-of", literal(".")
		}
		guard.Args = append(guard.Args, literal(kind), p.word, subject)
	}
	for _, word := range f.texts {
		needed = true
		guard.Args = append(guard.Args, literal("text"), word, literal("."))
	}
	for _, p := range f.indirect {
		needed = true
		if f.assigns {
			w.refuse("an indirect expansion together with an assignment", n.Pos())
		}
		name := &syntax.ParamExp{Param: p.Param, Exp: &syntax.Expansion{Op: syntax.DefaultUnset}}
		guard.Args = append(guard.Args, literal("name"), quoted(name), literal("."))
	}
	for _, name := range f.indexes {
		needed = true
		guard.Args = append(guard.Args, literal("index"), literal(name), literal("."))
	}
	if f.piped {
		needed = true
		guard.Args = append(guard.Args, literal("statuses"), literal("."), literal("."))
	}
	if f.extended {
		needed = true
		guard.Args = append(guard.Args, literal("extglob"), literal("."), literal("."))
	}
	if !needed {
		return nil
	}
	return guard
}

// wrap puts a statement into another one that takes its place.
func wrap(n *syntax.Stmt, in func(inner *syntax.Stmt) *syntax.Stmt) {
	inner := *n
	inner.Background, inner.Disown, inner.Comments = false, false, nil
	*n = syntax.Stmt{
		Position: n.Position, Comments: n.Comments, Background: n.Background, Disown: n.Disown,
		Cmd: in(&inner).Cmd,
	}
}
