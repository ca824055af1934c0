package shell

import (
	"mvdan.cc/sh/v3/syntax"
)

// A rewriter changes a script so that its interpreter stays off the host, and runs
// one thing after the other. What it puts in is shell as well, so that it can be
// printed.
type rewriter struct {
	run     *run
	printed bool // the script will be printed
	err     error
	nodes   []syntax.Node
	facts   []*facts
	count   []int                 // how often what is in a word is expanded: by its braces
	file    string                // what is rewritten, if it is one
	pipes   map[*syntax.Stmt]bool // pipelines that hand on what they write
	left    map[*syntax.Stmt]bool // statements that leave a list of which they aren't the last one
}

// facts are what a statement does itself, without the statements in it.
type facts struct {
	weight   int               // of its expansions
	elements int               // words, after expansion of braces
	text     int               // bytes of these words
	changed  []string          // variables that may have become larger
	products [][2]*syntax.Word // replacements: of what, by what
	patterns []pattern
	texts    []*syntax.Word // patterns that the interpreter fails with if they are no text
	indirect []*syntax.ParamExp
	keys     []string // arrays whose keys are listed
	statuses []*syntax.ParamExp
	indexes  []string // arrays with an index that is an expression, and no key
	piped    bool     // the exit codes of a pipeline are expanded
	assigns  bool     // within an expansion
	extended bool     // patterns such as @(a|b) are made names
}

// rewrite changes a script. It is an error if the script can't be run.
func (w *rewriter) rewrite(file *syntax.File) error {
	w.facts = append(w.facts, &facts{})
	syntax.Walk(file, w.visit)
	return w.err
}

func (w *rewriter) refuse(what string, pos syntax.Pos) {
	if w.err == nil {
		w.err = &refusedError{what, int(pos.Line())}
	}
}

// visit is called with each node before what is in it, and with nil after that.
func (w *rewriter) visit(node syntax.Node) bool {
	if node == nil {
		last := w.nodes[len(w.nodes)-1]
		w.nodes = w.nodes[:len(w.nodes)-1]
		w.leave(last)
		return true
	}
	if len(w.nodes) >= maxNesting*4 && w.err == nil {
		w.err = w.run.exceeded("nesting", maxNesting)
	}
	if w.err != nil {
		return false
	}
	w.nodes = append(w.nodes, node)
	w.enter(node)
	return true
}

func (w *rewriter) enter(node syntax.Node) {
	w.enterBody(node)
	switch n := node.(type) {
	case *syntax.Stmt:
		w.facts = append(w.facts, &facts{})
		w.count = append(w.count, 1)
		w.enterStmt(n)
	case *syntax.BinaryCmd:
		w.enterPipe(n)
	case *syntax.CallExpr:
		w.enterCall(n)
	case *syntax.Word:
		w.enterWord(n)
	case *syntax.ParamExp:
		w.enterParam(n)
	case *syntax.CmdSubst:
		w.current().weight += w.times() * weightUnquoted
	case *syntax.Assign:
		w.enterAssign(n)
	case *syntax.DeclClause:
		w.enterDeclaration(n)
	case *syntax.ProcSubst:
		w.refuse("process substitution", n.Pos())
	case *syntax.CoprocClause:
		w.refuse("coproc", n.Pos())
	case *syntax.TestDecl:
		w.refuse("@test", n.Pos())
	case *syntax.ForClause:
		w.enterFor(n)
	case *syntax.UnaryTest:
		w.enterUnaryTest(n)
	case *syntax.BinaryTest:
		w.enterBinaryTest(n)
	case *syntax.ExtGlob:
		w.enterExtended()
	case *syntax.CaseItem:
		for _, pattern := range n.Patterns {
			w.enterPattern(pattern, w.subject())
		}
	case *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm, *syntax.ArithmExp, *syntax.ArithmCmd:
		w.arithmetic(n)
	}
}

func (w *rewriter) leave(node syntax.Node) {
	w.leaveList(node)
	switch n := node.(type) {
	case *syntax.Stmt:
		f := w.current()
		w.facts = w.facts[:len(w.facts)-1]
		w.count = w.count[:len(w.count)-1]
		w.leaveStmt(n, f)
	case *syntax.Word:
		w.count = w.count[:len(w.count)-1]
	case *syntax.CmdSubst:
		capture(n)
	case *syntax.Subshell:
		if w.tested(n) {
			n.Stmts = []*syntax.Stmt{untested(stmt(block(n.Stmts...)))}
		}
	}
}

func (w *rewriter) current() *facts { return w.facts[len(w.facts)-1] }

func (w *rewriter) times() int {
	if len(w.count) == 0 {
		return 1
	}
	return w.count[len(w.count)-1]
}

// capture sends what a command substitution writes through a writer of ours.
func capture(n *syntax.CmdSubst) {
	if len(n.Stmts) == 0 {
		return
	}
	if only := n.Stmts[0]; len(n.Stmts) == 1 && only.Cmd == nil {
		only.Cmd = call(":cat") // $(<file)
	}
	n.TempFile, n.ReplyVar = false, false
	begin := and(stmt(call(":substitution")), stmt(call(":check")))
	body := &syntax.Stmt{Cmd: block(append([]*syntax.Stmt{begin}, n.Stmts...)...), Redirs: []*syntax.Redirect{redirect(syntax.RdrOut, capturePath)}}
	n.Stmts = []*syntax.Stmt{body}
}
