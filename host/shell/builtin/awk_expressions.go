package builtin

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/benhoyt/goawk/lexer"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/regexpsize"
)

// list writes expressions with commas between them.
func (w *awkWriter) list(list reflect.Value) {
	for i := range list.Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		w.expression(list.Index(i))
	}
}

// name is what a variable is called.
func (w *awkWriter) name(name string) string {
	if name == "FILENAME" || w.arguments && (name == "ARGV" || name == "ARGC") {
		return w.prefix + name
	}
	return name
}

// parts writes texts and expressions by turns.
func (w *awkWriter) parts(parts ...any) {
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			w.WriteString(part)
		case reflect.Value:
			w.expression(part)
		}
	}
}

// expression writes an expression, in parentheses if it has parts.
func (w *awkWriter) expression(v reflect.Value) {
	e := v.Elem().Elem()
	field := e.FieldByName
	switch name := e.Type().Name(); name {
	case "NumExpr":
		w.number(field("Value").Float())
	case "StrExpr":
		if field("Regex").Bool() {
			w.regex(field("Value").String())
		} else {
			w.WriteString(awkQuote(field("Value").String()))
		}
	case "RegExpr":
		if regex := field("Regex").String(); regexpsize.Of(regex) <= smallAwkRegex {
			w.regex(regex)
		} else {
			w.WriteString("(" + w.prefix + "keep($0) ~ " + w.prefix + "re(" + awkQuote(regex) + "))")
		}
	case "VarExpr":
		w.WriteString(w.name(field("Name").String()))
	case "FieldExpr":
		w.parts("$(", field("Index"), ")")
	case "NamedFieldExpr":
		w.parts("@(", field("Field"), ")")
	case "IndexExpr":
		w.index(field("Array").String(), field("Index"))
	case "GroupingExpr":
		w.parts("(", field("Expr"), ")")
	case "UnaryExpr":
		w.parts("(", tokenOf(field("Op")).String(), field("Value"), ")")
	case "CondExpr":
		w.parts("(", field("Cond"), " ? ", field("True"), " : ", field("False"), ")")
	case "IncrExpr":
		w.increment(e)
	case "AssignExpr":
		w.assignment(field("Left"), field("Right"))
	case "AugAssignExpr":
		w.parts("(", field("Left"), " ", tokenOf(field("Op")).String(), "= ", field("Right"), ")")
	case "MultiExpr", "InExpr":
		w.several(e, name)
	default:
		w.operation(e, name)
	}
}

// operation writes what is left of the kinds of expressions.
func (w *awkWriter) operation(e reflect.Value, name string) {
	field := e.FieldByName
	switch name {
	case "BinaryExpr":
		if op := tokenOf(field("Op")); op == lexer.MATCH || op == lexer.NOT_MATCH {
			w.matching(field("Left"), op.String(), field("Right"))
		} else if op != lexer.CONCAT {
			w.parts("(", field("Left"), " ", op.String(), " ", field("Right"), ")")
		} else {
			w.concatenation(e)
		}
	case "CallExpr":
		w.call(tokenOf(field("Func")), field("Args"))
	case "UserCallExpr":
		w.userCall(field("Name").String(), field("Args"))
	case "GetlineExpr":
		w.getline(e)
	default:
		w.err = complaint("unknown expression: " + name)
	}
}

func (w *awkWriter) number(n float64) {
	if math.IsInf(n, 0) {
		w.WriteString("(-log(0))")
		return
	}
	w.WriteString(strconv.FormatFloat(n, 'g', -1, 64))
}

func (w *awkWriter) regex(regex string) {
	w.WriteString("/" + strings.ReplaceAll(regex, "/", `\/`) + "/")
}

func (w *awkWriter) index(array string, index reflect.Value) {
	name := w.name(array)
	fmt.Fprintf(w, "%s[(length(%s) > %d ? %sfull() : ", name, name, maxAwkElements, w.prefix)
	w.expression(index.Index(0))
	w.WriteString(")")
	for i := 1; i < index.Len(); i++ {
		w.parts(", ", index.Index(i))
	}
	w.WriteString("]")
}

func (w *awkWriter) increment(e reflect.Value) {
	op := tokenOf(e.FieldByName("Op")).String()
	if e.FieldByName("Pre").Bool() {
		w.parts("(", op, e.FieldByName("Expr"), ")")
	} else {
		w.parts("(", e.FieldByName("Expr"), op, ")")
	}
}

func (w *awkWriter) assignment(left, right reflect.Value) {
	if check := awkSeparators[variable(left)]; check != "" {
		w.parts("(", left, " = "+w.prefix+check+"(", right, "))")
		return
	}
	if e := left.Elem().Elem(); e.Type().Name() == "FieldExpr" { // all others are put together then
		w.parts("($("+w.prefix+"live(", e.FieldByName("Index"), ")) = ", right, ")")
		return
	}
	w.parts("(", left, " = ", right, ")")
}

// variable is the name of a variable, or nothing for another expression.
func variable(v reflect.Value) string {
	if e := v.Elem().Elem(); e.Type().Name() == "VarExpr" {
		return e.FieldByName("Name").String()
	}
	return ""
}

// separator refuses to change a variable in a way that isn't looked at.
func (w *awkWriter) separator(name string) {
	if awkSeparators[name] != "" {
		w.err = complaint("assignments of " + name + " that aren't by = are not supported")
	}
}

func (w *awkWriter) several(e reflect.Value, name string) {
	if name == "MultiExpr" {
		w.WriteString("(")
		w.list(e.FieldByName("Exprs"))
		w.WriteString(")")
		return
	}
	w.WriteString("((")
	w.list(e.FieldByName("Index"))
	w.WriteString(") in " + w.name(e.FieldByName("Array").String()) + ")")
}

// concatenation writes all that is put together as one call.
func (w *awkWriter) concatenation(e reflect.Value) {
	var parts []reflect.Value
	for e.Type().Name() == "BinaryExpr" && tokenOf(e.FieldByName("Op")) == lexer.CONCAT {
		parts = append(parts, e.FieldByName("Right"))
		left := e.FieldByName("Left")
		if inner := left.Elem().Elem(); inner.Type().Name() != "BinaryExpr" || tokenOf(inner.FieldByName("Op")) != lexer.CONCAT {
			parts = append(parts, left)
			break
		}
		e = left.Elem().Elem()
	}
	w.WriteString(w.prefix + "cat(")
	for i := len(parts) - 1; i >= 0; i-- {
		w.expression(parts[i])
		if i > 0 {
			w.WriteString(", ")
		}
	}
	w.WriteString(")")
}

// awkOwnCalls are the functions of the language that have to do with the outside.
var awkOwnCalls = map[lexer.Token]string{lexer.F_CLOSE: "close", lexer.F_FFLUSH: "flush", lexer.F_SYSTEM: "system"}

// call writes a call of a function of the language.
func (w *awkWriter) call(function lexer.Token, args reflect.Value) {
	name := function.String()
	if own := awkOwnCalls[function]; own != "" {
		name = w.prefix + own
	}
	if function == lexer.F_SUBSTR && args.Len() == 3 {
		name = w.prefix + "substr" // as POSIX has it before the first character
	}
	long := function == lexer.F_SPRINTF || function == lexer.F_TOLOWER || function == lexer.F_TOUPPER
	if long {
		w.WriteString(w.prefix + "live(")
		defer w.WriteString(")")
	}
	w.WriteString(name + "(")
	switch {
	case function == lexer.F_SRAND && args.Len() == 0:
		w.WriteString(w.prefix + "now()")
	case function == lexer.F_SUB || function == lexer.F_GSUB:
		w.replacement(args)
	case (function == lexer.F_SPLIT || function == lexer.F_MATCH) && args.Len() > 1:
		w.comparing(function, args)
	case function == lexer.F_SPRINTF:
		w.formatted(args)
	default:
		w.list(args)
	}
	w.WriteString(")")
}

// replacement writes the arguments of sub and gsub.
func (w *awkWriter) replacement(args reflect.Value) {
	if pattern := args.Index(0); smallPattern(pattern) {
		w.parts(pattern, ", "+w.prefix+"grow(", args.Index(1), ", length(")
	} else {
		w.WriteString(w.prefix + "keepre(")
		w.pattern(pattern)
		w.parts("), "+w.prefix+"growre(", args.Index(1), ", length(")
	}
	if args.Len() < 3 {
		w.WriteString("$0))")
		return
	}
	target := args.Index(2)
	w.separator(variable(target))
	if changes(target.Elem()) {
		w.err = complaint("sub and gsub of what changes a variable are not supported")
	}
	w.parts(target, ")), ", target)
}

// changes reports whether an expression does anything besides having a value.
func changes(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && changes(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			if changes(v.Index(i)) {
				return true
			}
		}
	case reflect.Struct:
		switch v.Type().Name() {
		case "IncrExpr", "AssignExpr", "AugAssignExpr", "UserCallExpr", "GetlineExpr", "CallExpr":
			return true
		}
		for i := range v.NumField() {
			if changes(v.Field(i)) {
				return true
			}
		}
	}
	return false
}

// userCall writes a call of a function of the program.
func (w *awkWriter) userCall(name string, args reflect.Value) {
	w.WriteString(name + "(")
	for i := range args.Len() {
		if i > 0 {
			w.WriteString(", ")
		}
		if e := args.Index(i).Elem().Elem(); name == "gensub" && i == 0 && e.Type().Name() == "RegExpr" {
			w.WriteString(awkQuote(e.FieldByName("Regex").String()))
			continue
		}
		w.expression(args.Index(i))
	}
	if name == "gensub" && args.Len() == 3 {
		w.WriteString(", $0")
	}
	w.WriteString(")")
}

// getline writes the ways to read a record.
func (w *awkWriter) getline(e reflect.Value) {
	command, target, file := e.FieldByName("Command"), e.FieldByName("Target"), e.FieldByName("File")
	if !target.IsNil() {
		w.separator(variable(target))
	}
	if command.IsNil() && file.IsNil() {
		w.WriteString("(getline")
		if !target.IsNil() {
			w.parts(" ", target)
		}
		w.WriteString(")")
		return
	}
	w.WriteString("(" + w.prefix + "read(")
	if file.IsNil() {
		w.parts(`"|", `, command)
	} else {
		w.parts(`"<", `, file)
	}
	w.WriteString(", RS) > 0 ? " + w.prefix + "yes((")
	if target.IsNil() {
		w.WriteString("$0 = " + w.prefix + "line())")
	} else {
		w.parts(target, " = "+w.prefix+"value())")
	}
	if file.IsNil() {
		w.WriteString(", NR++")
	}
	w.WriteString(") : " + w.prefix + "status())")
}
