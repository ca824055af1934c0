package builtin

import (
	"reflect"
	"strconv"
	"strings"

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
		w.WriteString("if (")
		w.expression(s.FieldByName("Cond"))
		w.WriteString(") ")
		w.block(s.FieldByName("Body"))
		if other := s.FieldByName("Else"); other.Len() > 0 {
			w.WriteString("else ")
			w.block(other)
		}
	case "WhileStmt":
		w.WriteString("while (")
		w.expression(s.FieldByName("Cond"))
		w.WriteString(") ")
		w.turn(s)
	case "ForStmt":
		w.loop(s)
	case "ForInStmt":
		w.forIn(s)
	case "DoWhileStmt":
		w.WriteString("do ")
		w.turn(s)
		w.WriteString("while (")
		w.expression(s.FieldByName("Cond"))
		w.WriteString(")")
	case "BlockStmt":
		w.block(s.FieldByName("Body"))
	default:
		w.simple(s, name)
	}
}

// turn writes the body of a loop.
func (w *awkWriter) turn(loop reflect.Value) {
	if partsTakeLong(loop, false) {
		w.WriteString("{ " + w.prefix + "live(0)\n")
		defer w.WriteString("}\n")
	}
	w.block(loop.FieldByName("Body"))
}

// awkLongCalls are functions that look at all of a string.
var awkLongCalls = map[lexer.Token]bool{
	lexer.F_INDEX: true, lexer.F_MATCH: true, lexer.F_SPLIT: true, lexer.F_SUB: true, lexer.F_GSUB: true, lexer.F_SUBSTR: true,
}

// takesLong reports whether a turn of a loop may take long, besides that of loops in it.
func takesLong(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && takesLong(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			if item := v.Index(i); takesLong(item) {
				return true
			}
		}
	case reflect.Struct:
		switch v.Type().Name() {
		case "RegExpr":
			return true
		case "BinaryExpr":
			if op := tokenOf(v.FieldByName("Op")); op == lexer.MATCH || op == lexer.NOT_MATCH {
				return true
			}
		case "CallExpr":
			if awkLongCalls[tokenOf(v.FieldByName("Func"))] {
				return true
			}
		}
		return partsTakeLong(v, awkLoopStatements[v.Type().Name()])
	}
	return false
}

// partsTakeLong is takesLong for what a node consists of, perhaps without its body.
func partsTakeLong(node reflect.Value, bodyless bool) bool {
	for i := range node.NumField() {
		if bodyless && node.Type().Field(i).Name == "Body" {
			continue
		}
		if takesLong(node.Field(i)) {
			return true
		}
	}
	return false
}

var awkLoopStatements = map[string]bool{"WhileStmt": true, "DoWhileStmt": true, "ForStmt": true, "ForInStmt": true}

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
	w.turn(s)
}

// forIn writes a loop over an array's keys, in an order that is always the same.
func (w *awkWriter) forIn(s reflect.Value) {
	w.separator(s.FieldByName("Var").String())
	name, array := w.name(s.FieldByName("Var").String()), w.name(s.FieldByName("Array").String())
	w.deepest = max(w.deepest, len(w.loops)+1)
	loop := w.prefix + "loop" + strconv.Itoa(len(w.loops)+1)
	w.loops = append(w.loops, loop)
	w.WriteString(strings.NewReplacer("@", w.prefix, "LOOP", loop, "KEY", name, "ARRAY", array).Replace(
		"{ LOOP = @keys(); for (KEY in ARRAY) { @put(LOOP, KEY) }\nfor (@sort(LOOP); @more(LOOP); ) { KEY = @key(LOOP)\n"))
	w.turn(s)
	w.WriteString("}\n" + w.prefix + "drop(" + loop + ") }")
	w.loops = w.loops[:len(w.loops)-1]
}

// leaveLoops forgets the keys of loops that won't go on: those of a function, or
// all that there are.
func (w *awkWriter) leaveLoops(all bool) {
	if all {
		w.WriteString(w.prefix + "drop(0); ")
		return
	}
	for _, loop := range w.loops {
		w.WriteString(w.prefix + "drop(" + loop + "); ")
	}
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
		w.leaveLoops(true)
		w.leave("next")
	case "NextfileStmt":
		w.leaveLoops(true)
		w.WriteString(w.prefix + "skip(); ")
		w.leave("nextfile")
	case "ExitStmt":
		w.leave("exit ")
		w.optional(s.FieldByName("Status"))
	case "ReturnStmt":
		w.leaveLoops(false)
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
	}
	held := !dest.IsNil() || w.inFunction && w.redirects
	if held {
		w.WriteString("{ " + w.prefix + "hold(); ")
	}
	w.WriteString(word)
	if formatted {
		w.formatted(args)
	} else {
		w.list(args)
	}
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
