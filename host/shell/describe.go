package shell

import (
	"context"
	"fmt"
	"reflect"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// A kind is what a name means to a shell.
type kind struct {
	word string // as type -t says it; "": nothing
	path string // of a command
}

func (s *session) kindOf(hc interp.HandlerContext, name string) kind {
	if syntax.IsKeyword(name) {
		return kind{word: "keyword"}
	}
	if isFunction(hc, name) {
		return kind{word: "function"}
	}
	if interp.IsBuiltin(name) {
		return kind{word: "builtin"}
	}
	if path, found := s.run.look(name, hc.Dir, hc.Env.Get("PATH").String()); found {
		return kind{"file", path}
	}
	return kind{}
}

// isFunction reports whether there is a function with a name. The interpreter
// doesn't tell handlers; its runner has to be looked at.
func isFunction(hc interp.HandlerContext, name string) bool {
	runner := reflect.ValueOf(hc).FieldByName("runner")
	if runner.Kind() != reflect.Pointer || runner.IsNil() {
		return false
	}
	functions := runner.Elem().FieldByName("Funcs")
	return functions.Kind() == reflect.Map && functions.MapIndex(reflect.ValueOf(name)).IsValid()
}

// describeCommand is command -v and command -V.
func (s *session) describeCommand(ctx context.Context, hc interp.HandlerContext, args []string) (int, error) {
	if args[0] == "-V" {
		return s.typeOf(ctx, hc, args[1:])
	}
	code := 0
	for _, name := range args[1:] {
		switch k := s.kindOf(hc, name); k.word {
		case "":
			code = 1
			if s.name != "bash" {
				code = 127
			}
		case "file":
			fmt.Fprintln(hc.Stdout, k.path)
		default:
			fmt.Fprintln(hc.Stdout, name)
		}
	}
	return code, nil
}

func (s *session) typeOf(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	mode := ""
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		mode, args = args[0], args[1:]
	}
	code := 0
	for _, name := range args {
		k := s.kindOf(hc, name)
		if k.word == "" {
			code = 1
			if s.name != "bash" {
				code = 127
			}
		}
		s.printKind(hc, mode, name, k)
	}
	return code, nil
}

func (s *session) printKind(hc interp.HandlerContext, mode, name string, k kind) {
	switch {
	case mode == "-t":
		if k.word != "" {
			fmt.Fprintln(hc.Stdout, k.word)
		}
	case mode == "-p" || mode == "-P":
		if k.path != "" {
			fmt.Fprintln(hc.Stdout, k.path)
		}
	case k.word == "":
		fmt.Fprintf(hc.Stderr, "%stype: %s: not found\n", s.at(int(hc.Pos.Line())), name)
	case k.word == "file":
		fmt.Fprintf(hc.Stdout, "%s is %s\n", name, k.path)
	case k.word == "keyword", k.word == "builtin":
		fmt.Fprintf(hc.Stdout, "%s is a shell %s\n", name, k.word)
	default:
		fmt.Fprintf(hc.Stdout, "%s is a %s\n", name, k.word)
	}
}
