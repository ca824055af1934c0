package shell

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/paths"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// callCd understands the options of cd, and resolves symlinks if it is asked to.
func (s *session) callCd(ctx context.Context, args []string) ([]string, error) {
	hc := interp.HandlerCtx(ctx)
	physical, rest := false, args[1:]
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' {
		option := rest[0]
		rest = rest[1:]
		if option == "--" {
			break
		}
		physical = option == "-P"
	}
	if len(rest) == 0 {
		rest = []string{hc.Env.Get("HOME").String()}
	}
	if rest[0] == "-" || len(rest) > 1 {
		return append([]string{"cd"}, rest...), nil
	}
	to := absolute(hc.Dir, rest[0])
	info, err := s.stat(ctx, path.Clean(to), true)
	if err == nil && !info.IsDir() {
		return s.complain(ctx, 1, "cd: %s: %s", rest[0], workspace.ENOTDIR.Text())
	}
	if err != nil {
		return s.complain(ctx, 1, "cd: %s: %s", rest[0], ErrorText(err))
	}
	if physical {
		if to, err = paths.Real(s.run.shell.Files, to); err != nil {
			return s.complain(ctx, 1, "cd: %s: %s", rest[0], ErrorText(err))
		}
	}
	return []string{"cd", to}, nil
}

func (s *session) callPwd(ctx context.Context, args []string) ([]string, error) {
	hc := interp.HandlerCtx(ctx)
	for _, arg := range args[1:] {
		if arg != "-P" {
			continue
		}
		if found, err := paths.Real(s.run.shell.Files, hc.Dir); err == nil {
			return []string{"echo", found}, nil
		}
	}
	return []string{"pwd"}, nil
}

// callTest leaves out of a test what the interpreter would ask the host for.
func (s *session) callTest(ctx context.Context, args []string) ([]string, error) {
	if len(args) > maxNesting/2 {
		return s.complain(ctx, 2, "%s: too many arguments", args[0])
	}
	out := append([]string{}, args...)
	for i := 1; i+1 < len(out); i++ {
		if i > 1 && !precedesTest[out[i-1]] {
			continue
		}
		switch out[i] {
		case "-O", "-G":
			out[i] = "-e" // all files are the user's
		case "-N":
			return s.complain(ctx, 2, "%s: -N is not supported", args[0])
		case "-t":
			out[i] = "-n"
			out[i+1] = interp.HandlerCtx(ctx).Env.Get(terminalName).String()
		}
	}
	for i := 2; i+1 < len(out); i++ {
		if out[i] == "-ef" {
			return s.complain(ctx, 2, "%s: -ef is not supported", args[0])
		}
	}
	if number, wrong := wrongNumber(args); wrong {
		if s.name == "bash" {
			return s.complain(ctx, 2, "%s: %s: integer expression expected", args[0], number)
		}
		return s.complain(ctx, 2, "%s: Illegal number: %s", args[0], number)
	}
	return append([]string{testName}, out...), nil
}

// wrongNumber finds what a test compares as a number that is none: the interpreter takes it
// for zero.
func wrongNumber(args []string) (text string, wrong bool) {
	if args[0] == "[" && args[len(args)-1] == "]" {
		args = args[:len(args)-1]
	}
	for i := 2; i+1 < len(args); i++ {
		if !comparesNumbers[args[i]] || comparesTexts[args[i-1]] {
			continue
		}
		for _, text := range []string{args[i-1], args[i+1]} {
			if _, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err != nil {
				return text, true
			}
		}
	}
	return "", false
}

var (
	comparesNumbers = map[string]bool{"-eq": true, "-ne": true, "-lt": true, "-le": true, "-gt": true, "-ge": true}
	comparesTexts   = map[string]bool{"=": true, "==": true, "!=": true, "<": true, ">": true}
)

// testName is what is called in place of test.
const testName = hidden + "test"

// test is the interpreter's own, which fails for some tests that are wrong.
func (s *session) test(ctx context.Context, hc interp.HandlerContext, args []string) (err error) {
	defer func() {
		if recover() != nil {
			fmt.Fprintf(hc.Stderr, "%s%s: syntax error\n", s.at(int(hc.Pos.Line())), args[0])
			err = interp.ExitStatus(2)
		}
	}()
	return hc.Builtin(ctx, args)
}

var precedesTest = map[string]bool{"!": true, "-a": true, "-o": true, "(": true}

func (s *session) callUnset(ctx context.Context, args []string) ([]string, error) {
	for _, arg := range args[1:] {
		if _, subscript, found := strings.Cut(arg, "["); found {
			if strings.ContainsAny(subscript, "$`") {
				return s.complain(ctx, 2, "unset: %s: not supported", arg)
			}
			if _, err := s.run.arithmetic(subscript); err != nil && s.run.failure() != nil {
				return nil, err
			}
		}
		if arg == "" {
			return s.complain(ctx, 1, "unset: '': not a valid identifier")
		}
	}
	return args, nil
}

// callShopt notes what the interpreter doesn't tell, and inherit_errexit, which it doesn't have.
func (s *session) callShopt(ctx context.Context, args []string) ([]string, error) {
	sets, unsets := slices.Contains(args, "-s"), slices.Contains(args, "-u")
	out, names := []string{"shopt"}, 0
	for _, arg := range args[1:] {
		switch {
		case arg == "expand_aliases":
			return s.complain(ctx, 2, "shopt: %s: not supported", arg)
		case arg == "inherit_errexit" && (sets || unsets):
			s.inherit = sets
			continue
		case !strings.HasPrefix(arg, "-"):
			names++
		}
		s.globstar = s.globstar || arg == "globstar"
		s.extglob = s.extglob || arg == "extglob"
		out = append(out, arg)
	}
	if names == 0 && len(out) < len(args) {
		return []string{"true"}, nil
	}
	return out, nil
}
