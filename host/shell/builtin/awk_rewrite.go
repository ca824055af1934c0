package builtin

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/benhoyt/goawk/lexer"
	"github.com/benhoyt/goawk/parser"
)

// An awkWriter writes a program that was read as a text again, in which all that
// has to do with the outside is done by functions of this package:
//
//	print a > b         { hold(); print a; release(">", b) }
//	getline a < b       (read("<", b, RS) > 0 ? yes(a = value()) : status())
//	b | getline a       the same, which counts the record as well
//	close(a), system(a) close(a), system(a) of this package
//	FILENAME            a variable that is assigned before each file
//	ARGV, ARGC          variables that become the arguments after BEGIN
//	a b                 cat(a, b), which has a limit
//	for (a in b) c      { l = keys(); for (a in b) put(l, a)
//	                    for (sort(l); more(l); ) { a = key(l); c }; drop(l) }
//	a[b]                a[length(a) > limit ? full() : b]
//	$a = b, sprintf(a)  $live(a) = b, live(sprintf(a)), which ends with the context
//
// The names of the functions have a prefix that the program doesn't have.
type awkWriter struct {
	strings.Builder

	prefix     string
	arguments  bool // the program knows ARGV or ARGC
	redirects  bool // it prints to files
	inFunction bool
	loops      []string // the variables of the loops over keys around a statement
	deepest    int      // how many there were at most
	err        error
}

// rewrite gives a program as a text. The nodes that it consists of are of a package
// that can't be imported, so they are looked at by reflection.
func (r *awkRun) rewrite(program *parser.Program, arguments bool) (string, error) {
	w := &awkWriter{prefix: r.prefix, arguments: arguments}
	all := reflect.ValueOf(program).Elem()
	w.redirects = printsToFiles(all.FieldByName("Program"))
	if arguments {
		w.setArguments(r.operands)
	}
	each(all.FieldByName("Begin"), func(body reflect.Value) {
		w.WriteString("BEGIN ")
		w.block(body)
	})
	if arguments {
		w.takeArguments()
	}
	each(all.FieldByName("Actions"), w.action)
	each(all.FieldByName("End"), func(body reflect.Value) {
		w.WriteString("END ")
		w.block(body)
	})
	w.inFunction = true
	each(all.FieldByName("Functions"), w.function)
	w.own()
	return w.String(), w.err
}

func each(list reflect.Value, do func(reflect.Value)) {
	for i := range list.Len() {
		do(list.Index(i))
	}
}

// printsToFiles looks for a redirection of what is printed.
func printsToFiles(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return !v.IsNil() && printsToFiles(v.Elem())
	case reflect.Slice:
		for i := range v.Len() {
			if printsToFiles(v.Index(i)) {
				return true
			}
		}
	case reflect.Struct:
		if dest := v.FieldByName("Dest"); dest.IsValid() && !dest.IsNil() {
			return true
		}
		for i := range v.NumField() {
			if printsToFiles(v.Field(i)) {
				return true
			}
		}
	}
	return false
}

// setArguments assigns what the program takes for ARGV and ARGC.
func (w *awkWriter) setArguments(operands []string) {
	fmt.Fprintf(w, "BEGIN {\n%sARGV[0] = \"awk\"\n", w.prefix)
	for i, operand := range operands {
		fmt.Fprintf(w, "%sARGV[%d] = %s\n", w.prefix, i+1, awkQuote(operand))
	}
	fmt.Fprintf(w, "%sARGC = %d\n}\n", w.prefix, len(operands)+1)
}

// takeArguments makes that the arguments, unless the input has begun.
func (w *awkWriter) takeArguments() {
	w.WriteString(strings.ReplaceAll(`BEGIN {
if (!@begun()) {
	ARGC = 1
	@file("")
	for (@i = 1; @i < @ARGC; @i++) {
		if (!(@i in @ARGV) || @ARGV[@i] == "") { continue }
		if (@file(@ARGV[@i])) {
			ARGV[ARGC++] = "@FILENAME=" @escape(@ARGV[@i])
			ARGV[ARGC++] = "-"
		} else { ARGV[ARGC++] = @ARGV[@i] }
	}
	if (ARGC == 1) { @file("-") }
}
}
`, "@", w.prefix))
}

// own writes functions that are in every program.
func (w *awkWriter) own() {
	w.WriteString(strings.ReplaceAll(`
function @yes(a, b) { return 1 }
function @substr(s, from, n) {
	@live(0)
	if (from < 1) { n += from - 1; from = 1 }
	return substr(s, from, n)
}
function @value(a) { split(@line(), a, "\001\001never\001\001"); return a[1] }
`, "@", w.prefix))
}

func (w *awkWriter) action(action reflect.Value) {
	action = action.Elem()
	w.list(action.FieldByName("Pattern"))
	if body := action.FieldByName("Stmts"); !body.IsNil() {
		w.block(body)
	}
	w.WriteString("\n")
}

func (w *awkWriter) function(function reflect.Value) {
	function = function.Elem()
	params := function.FieldByName("Params").Interface().([]string)
	outer := w.Builder
	w.Builder, w.deepest = strings.Builder{}, 0
	w.block(function.FieldByName("Body"))
	body := w.String()
	w.Builder = outer
	params = slices.Clone(params)
	for i := range w.deepest { // the function may be called within itself
		params = append(params, fmt.Sprint(w.prefix, "loop", i+1))
	}
	fmt.Fprintf(w, "function %s(%s) %s", function.FieldByName("Name").String(), strings.Join(params, ", "), body)
}

// awkQuote writes a string out.
func awkQuote(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(text) {
		if b := text[i]; b < ' ' || b > '~' || b == '"' || b == '\\' {
			fmt.Fprintf(&out, "\\%03o", b)
		} else {
			out.WriteByte(b)
		}
	}
	out.WriteByte('"')
	return out.String()
}

func tokenOf(v reflect.Value) lexer.Token { return lexer.Token(v.Int()) }
