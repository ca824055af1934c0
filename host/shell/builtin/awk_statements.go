package builtin

import (
	"fmt"
	"reflect"

	"github.com/benhoyt/goawk/lexer"
)

// block writes statements in braces.
func (w *awkWriter) block(body reflect.Value) {
	w.WriteString("{\n")
	each(body, func(statement reflect.Value) {
		w.statement(statement)
		w.WriteString("\n")
	})
	w.WriteString("}\n")
}

// statement writes a statement.
func (w *awkWriter) statement(v reflect.Value) {
	s := v.Elem().Elem()
	switch name := s.Type().Name(); name {
	case "PrintStmt", "PrintfStmt":
		w.print(s, name == "PrintfStmt")
	case "IfStmt":
		w.condition("if", s)
		if other := s.FieldByName("Else"); other.Len() > 0 {
			w.WriteString("else ")
			w.block(other)
		}
	case "WhileStmt":
		w.condition("while", s)
	case "ForStmt":
		w.loop(s)
	case "ForInStmt":
		w.separator(s.FieldByName("Var").String())
		fmt.Fprintf(w, "for (%s in %s) ", w.name(s.FieldByName("Var").String()), w.name(s.FieldByName("Array").String()))
		w.block(s.FieldByName("Body"))
	case "DoWhileStmt":
		w.WriteString("do ")
		w.block(s.FieldByName("Body"))
		w.WriteString("while (")
		w.expression(s.FieldByName("Cond"))
		w.WriteString(")")
	case "BlockStmt":
		w.block(s.FieldByName("Body"))
	default:
		w.simple(s, name)
	}
}

func (w *awkWriter) condition(word string, s reflect.Value) {
	w.WriteString(word + " (")
	w.expression(s.FieldByName("Cond"))
	w.WriteString(") ")
	w.block(s.FieldByName("Body"))
}

func (w *awkWriter) loop(s reflect.Value) {
	part := func(v reflect.Value) {
		if v.IsNil() {
			return
		}
		node := v.Elem().Elem()
		if name := node.Type().Name(); name == "ExprStmt" || name == "DeleteStmt" {
			w.simple(node, name)
		} else {
			w.err = complaint("print in the head of a loop is not supported")
		}
	}
	w.WriteString("for (")
	part(s.FieldByName("Pre"))
	w.WriteString("; ")
	if cond := s.FieldByName("Cond"); !cond.IsNil() {
		w.expression(cond)
	}
	w.WriteString("; ")
	part(s.FieldByName("Post"))
	w.WriteString(") ")
	w.block(s.FieldByName("Body"))
}

// simple writes a statement that has no other ones in it.
func (w *awkWriter) simple(s reflect.Value, name string) {
	switch name {
	case "ExprStmt":
		w.expression(s.FieldByName("Expr"))
	case "BreakStmt":
		w.WriteString("break")
	case "ContinueStmt":
		w.WriteString("continue")
	case "NextStmt":
		w.leave("next")
	case "NextfileStmt":
		w.WriteString(w.prefix + "skip(); ")
		w.leave("nextfile")
	case "ExitStmt":
		w.leave("exit ")
		w.optional(s.FieldByName("Status"))
	case "ReturnStmt":
		w.WriteString("return ")
		w.optional(s.FieldByName("Value"))
	case "DeleteStmt":
		w.WriteString("delete " + w.name(s.FieldByName("Array").String()))
		if index := s.FieldByName("Index"); index.Len() > 0 {
			w.WriteString("[")
			w.list(index)
			w.WriteString("]")
		}
	default:
		w.err = complaint("unknown statement: " + name)
	}
}

// leave writes a statement that leaves functions, in which something may be held
// back.
func (w *awkWriter) leave(word string) {
	if w.inFunction && w.redirects {
		w.WriteString(w.prefix + "forget(); ")
	}
	w.WriteString(word)
}

func (w *awkWriter) optional(v reflect.Value) {
	if !v.IsNil() {
		w.expression(v)
	}
}

// print writes print and printf.
func (w *awkWriter) print(s reflect.Value, formatted bool) {
	args, dest := s.FieldByName("Args"), s.FieldByName("Dest")
	word := "print "
	if formatted {
		word = "printf "
		w.countArguments(args)
	}
	held := !dest.IsNil() || w.inFunction && w.redirects
	if held {
		w.WriteString("{ " + w.prefix + "hold(); ")
	}
	w.WriteString(word)
	w.list(args)
	if !held {
		return
	}
	w.WriteString("; " + w.prefix + "release(")
	if dest.IsNil() {
		w.WriteString(`"", "") }`)
		return
	}
	kind := map[lexer.Token]string{lexer.GREATER: ">", lexer.APPEND: ">>", lexer.PIPE: "|"}[tokenOf(s.FieldByName("Redirect"))]
	w.WriteString(awkQuote(kind) + ", ")
	w.expression(dest)
	w.WriteString(") }")
}

func (w *awkWriter) countArguments(args reflect.Value) {
	if args.Len() > maxAwkArguments {
		w.err = complaint("too many arguments")
	}
}
