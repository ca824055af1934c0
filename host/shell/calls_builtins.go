package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"
)

// callReturn says which exit code a function has that gives none.
func (s *session) callReturn(ctx context.Context, args []string) ([]string, error) {
	if len(args) == 1 {
		return []string{"return", strconv.Itoa(interp.HandlerCtx(ctx).LastExitStatus)}, nil
	}
	return args, nil
}

// callEcho says one by one which options of echo are given together.
func (s *session) callEcho(_ context.Context, args []string) ([]string, error) {
	rest, line, escapes := args[1:], true, false
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' && strings.Trim(rest[0][1:], "neE") == "" {
		for _, option := range rest[0][1:] {
			line = line && option != 'n'
			escapes = option == 'e' || option == 'n' && escapes
		}
		rest = rest[1:]
	}
	if len(rest) == len(args)-1 {
		return args, nil
	}
	out := []string{"echo"}
	if !line {
		out = append(out, "-n")
	}
	if escapes {
		out = append(out, "-e")
	}
	return append(out, rest...), nil
}

// callShift finds out how many parameters there are: of the interpreter, more than there are
// may be shifted.
func (s *session) callShift(ctx context.Context, args []string) ([]string, error) {
	rest := args[1:]
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		rest = []string{"1"}
	}
	n, err := strconv.Atoi(rest[0])
	switch {
	case len(rest) > 1:
		return s.complain(ctx, 1, "shift: too many arguments")
	case err != nil:
		return s.complain(ctx, 1, "shift: %s: numeric argument required", rest[0])
	case n < 0:
		return s.complain(ctx, 1, "shift: %s: shift count out of range", rest[0])
	}
	return []string{hidden + "shift", rest[0]}, nil
}

func (s *session) shift(ctx context.Context, hc interp.HandlerContext, args []string) (int, error) {
	s.parameters = 0
	defer s.run.setPlain(false)()
	_ = hc.Builtin(ctx, []string{"eval", ":parameters $#"})
	if n, err := strconv.Atoi(args[0]); err != nil || n > s.parameters {
		return 1, nil
	}
	_ = hc.Builtin(ctx, []string{"shift", args[0]})
	return 0, nil
}

// countParameters notes how many parameters there are.
func (s *session) countParameters(_ context.Context, _ interp.HandlerContext, args []string) (int, error) {
	if len(args) > 0 {
		s.parameters, _ = strconv.Atoi(args[0])
	}
	return 0, nil
}

// alone tells of break and continue outside of loops.
func (s *session) alone(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	fmt.Fprintf(hc.Stderr, "%s%s: only meaningful in a `for', `while', or `until' loop\n", s.at(int(hc.Pos.Line())), strings.Join(args, " "))
	return 0, nil
}

// Modes of a shell that change nothing here: of jobs and signals, of typing, of tracing by
// functions, and what a shell that is asked for POSIX's rules does in another way.
const idleFlags = "EHThbmp"

var idleModes = map[string]bool{
	"emacs": true, "errtrace": true, "functrace": true, "hashall": true, "histexpand": true, "history": true,
	"ignoreeof": true, "interactive-comments": true, "monitor": true, "notify": true, "posix": true, "privileged": true, "vi": true,
}

// callSet notes whether commands are traced, and leaves out modes that change nothing.
func (s *session) callSet(_ context.Context, args []string) ([]string, error) {
	s.run.noteTrace(args[1:])
	out, rest := []string{"set"}, args[1:]
	for len(rest) > 0 && len(rest[0]) > 1 && (rest[0][0] == '-' || rest[0][0] == '+') && rest[0] != "--" {
		sign, flags := rest[0][:1], rest[0][1:]
		rest = rest[1:]
		for _, flag := range flags {
			switch {
			case flag == 'o' && len(rest) > 0:
				if !idleModes[rest[0]] {
					out = append(out, sign+"o", rest[0])
				}
				rest = rest[1:]
			case !strings.ContainsRune(idleFlags, flag):
				out = append(out, sign+string(flag))
			}
		}
	}
	if len(out)+len(rest) == 1 && len(args) > 1 { // it would list all variables
		return []string{"true"}, nil
	}
	return append(out, rest...), nil
}
