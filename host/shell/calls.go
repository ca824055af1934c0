package shell

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/interp"
)

// call is asked before each command what is to be called in its place. An error
// ends the run.
func (s *session) call(ctx context.Context, args []string) ([]string, error) {
	args = withoutNUL(args)
	if internal[args[0]] != nil {
		return args, nil
	}
	if args[0] == ":keys" {
		return s.callKeys(ctx, args)
	}
	if err := s.run.count(args); err != nil {
		return nil, err
	}
	if args[0] == "exec" {
		s.leaves = len(args) > 1
		if err := s.run.keep(s.input(interp.HandlerCtx(ctx))); err != nil {
			return nil, err
		}
	}
	if st := s.run.stage(); st != nil && st.full && interp.HandlerCtx(ctx).Stdout == st {
		return nil, s.run.exceeded("pipe", s.run.limits.Pipe)
	}
	if s.run.grown > maxVariables/4 {
		if err := s.measure(interp.HandlerCtx(ctx)); err != nil {
			return nil, err
		}
	}
	if replacements[args[0]] != nil && isFunction(interp.HandlerCtx(ctx), args[0]) {
		return args, nil
	}
	return s.replace(ctx, args)
}

// withoutNUL ends arguments where those of processes end.
func withoutNUL(args []string) []string {
	if !slices.ContainsFunc(args, func(arg string) bool { return strings.Contains(arg, "\x00") }) {
		return args
	}
	cut := make([]string, len(args))
	for i, arg := range args {
		cut[i], _, _ = strings.Cut(arg, "\x00")
	}
	return cut
}

// depthSample is how many commands there are from one look at the depth to the
// next one.
const depthSample = 16

// count counts a command against the limits.
func (r *run) count(args []string) error {
	r.matches = 0
	if r.commands++; r.commands > r.limits.Commands {
		return r.exceeded("commands", int64(r.limits.Commands))
	}
	size := 0
	for _, arg := range args {
		size += len(arg) + 1
	}
	if size > r.limits.Arguments {
		return r.exceeded("arguments", int64(r.limits.Arguments))
	}
	r.largest = max(r.largest, size)
	r.grown += size
	if r.commands%depthSample == 0 {
		return r.checkDepth()
	}
	return nil
}

// A replacement gives what to call in place of a builtin of the interpreter.
type replacement func(s *session, ctx context.Context, args []string) ([]string, error)

var replacements map[string]replacement

func init() { // they use each other
	replacements = map[string]replacement{
		"command": (*session).callCommand, "builtin": (*session).callBuiltin,
		"eval": (*session).callEval, ".": (*session).callSource, "source": (*session).callSource,
		"trap": (*session).callTrap, "exit": (*session).callExit, "cd": (*session).callCd, "pwd": (*session).callPwd,
		"read": (*session).callRead, "mapfile": (*session).callMapfile, "readarray": (*session).callMapfile,
		"test": (*session).callTest, "[": (*session).callTest,
		"unset": (*session).callUnset, "shopt": (*session).callShopt, "alias": (*session).callNothing,
		"unalias": (*session).callNothing, "printf": (*session).callPrintf,
		"type": (*session).callOwn, "umask": (*session).callUmask, "ulimit": (*session).callOwn, "kill": (*session).callOwn, "wait": (*session).callOwn, "jobs": (*session).callOwn,
		"disown": (*session).callNothing, "shift": (*session).callShift, "set": (*session).callSet, "echo": (*session).callEcho, "return": (*session).callReturn, "help": (*session).callRefused, "history": (*session).callRefused, "fc": (*session).callRefused,
		"caller": (*session).callRefused, "bind": (*session).callRefused, "compgen": (*session).callRefused, "complete": (*session).callNothing, "compopt": (*session).callRefused,
		"enable": (*session).callRefused, "suspend": (*session).callRefused, "newgrp": (*session).callRefused, "fg": (*session).callRefused, "bg": (*session).callRefused, "logout": (*session).callRefused,
	}
}

func (s *session) replace(ctx context.Context, args []string) ([]string, error) {
	if r := replacements[args[0]]; r != nil {
		instead, err := r(s, ctx, args)
		for _, arg := range instead { // it may be an assignment
			s.run.grown += len(arg)
		}
		return instead, err
	}
	return args, nil
}

// callOwn calls this package's command of the same name.
func (s *session) callOwn(_ context.Context, args []string) ([]string, error) {
	return append([]string{hidden + args[0]}, args[1:]...), nil
}

func (s *session) callRefused(_ context.Context, args []string) ([]string, error) {
	return []string{hidden + "refused", args[0]}, nil
}

func (s *session) callNothing(_ context.Context, _ []string) ([]string, error) {
	return []string{"true"}, nil
}

// complain says something, and gives an exit code.
func (s *session) complain(ctx context.Context, code int, format string, a ...any) ([]string, error) {
	hc := interp.HandlerCtx(ctx)
	fmt.Fprint(hc.Stderr, s.at(int(hc.Pos.Line()))+fmt.Sprintf(format, a...)+"\n")
	return []string{":exit", fmt.Sprint(code)}, nil
}

func (s *session) callCommand(ctx context.Context, args []string) ([]string, error) {
	rest := args[1:]
	for len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
		option := rest[0]
		rest = rest[1:]
		switch option {
		case "-v", "-V", "-pv":
			return append([]string{hidden + "command", option}, rest...), nil
		case "-p":
			continue
		case "--":
		default:
			return s.complain(ctx, 2, "command: Illegal option %s", option)
		}
		break
	}
	if len(rest) == 0 {
		return []string{"true"}, nil
	}
	inner, err := s.replace(ctx, rest)
	if err != nil {
		return nil, err
	}
	return append([]string{"command", "--"}, inner...), nil
}

func (s *session) callBuiltin(ctx context.Context, args []string) ([]string, error) {
	if len(args) < 2 || !interp.IsBuiltin(args[1]) {
		return args, nil
	}
	inner, err := s.replace(ctx, args[1:])
	if err != nil || !interp.IsBuiltin(inner[0]) {
		return inner, err
	}
	return append([]string{"builtin"}, inner...), nil
}

// callEval gives the interpreter the script as it is to be run.
func (s *session) callEval(ctx context.Context, args []string) ([]string, error) {
	if err := s.run.checkDepth(); err != nil {
		return nil, err
	}
	text, err := s.run.reparse(strings.Join(args[1:], " "), "")
	if err != nil {
		return s.badScript(ctx, "eval", err)
	}
	return []string{"eval", text}, nil
}

func (s *session) badScript(ctx context.Context, what string, err error) ([]string, error) {
	if failure := s.run.failure(); failure != nil {
		return nil, failure
	}
	return s.complain(ctx, 2, "%s: %s", what, s.describe(err))
}

// callSource reads a script of the workspace, and hands it on in place of it.
func (s *session) callSource(ctx context.Context, args []string) ([]string, error) {
	if err := s.run.checkDepth(); err != nil {
		return nil, err
	}
	if len(args) < 2 {
		return s.complain(ctx, 2, "%s: filename argument required", args[0])
	}
	hc := interp.HandlerCtx(ctx)
	name, content, err := s.readScript(args[1], hc.Dir, hc.Env.Get("PATH").String())
	if err != nil {
		return s.complain(ctx, 1, "%s: %s: %s", args[0], name, ErrorText(err))
	}
	text, err := s.run.reparse(string(content), name)
	if err != nil {
		return s.badScript(ctx, args[1], err)
	}
	s.source.made++
	s.source.path, s.source.text = fmt.Sprint(sourcePath, s.source.made), []byte(text)
	return append([]string{"source", s.source.path}, args[2:]...), nil
}

// readScript reads a script that is to be sourced, from PATH if its name is none
// of a path, or else from the working folder.
func (s *session) readScript(name, dir, paths string) (found string, content []byte, err error) {
	files := s.run.shell.Files
	if !strings.Contains(name, "/") {
		for folder := range strings.SplitSeq(paths, ":") {
			if content, err := files.ReadFile(absolute(absolute(dir, folder), name)); err == nil {
				return name, content, nil
			}
		}
	}
	content, err = files.ReadFile(absolute(dir, name))
	return name, content, err
}
