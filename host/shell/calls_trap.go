package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// The interpreter doesn't end a trap by exit. So its trap at the end only says what is to be
// run, which is run when the interpreter has ended, as what comes next.

// callTrap keeps the traps that can happen: those at the end, and of errors.
func (s *session) callTrap(ctx context.Context, args []string) ([]string, error) {
	rest := args[1:]
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	call := []string{hidden + "trap"}
	if len(rest) == 0 || rest[0] == "-p" || rest[0] == "-l" {
		return call, nil
	}
	text := "-"
	if len(rest) > 1 {
		text, rest = rest[0], rest[1:]
	}
	run, err := s.run.reparse(text, "")
	if err != nil {
		return s.badScript(ctx, "trap", err)
	}
	if run = strings.TrimSpace(run); text == "-" {
		run = ""
	}
	call = append(call, text, run)
	for _, signal := range rest {
		switch strings.TrimPrefix(strings.ToUpper(signal), "SIG") {
		case "EXIT", "0":
			call = append(call, "EXIT")
		case "ERR":
			call = append(call, "ERR")
		}
	}
	return call, nil // no signal ever comes
}

// trap is told what is written in the script, what is to be run, and when; or it lists that.
func (s *session) trap(ctx context.Context, hc interp.HandlerContext, args []string) (int, error) {
	if len(args) == 0 {
		for _, when := range []string{"EXIT", "ERR"} {
			if text := s.traps[when]; text != "" {
				fmt.Fprintf(hc.Stdout, "trap -- '%s' %s\n", strings.ReplaceAll(text, "'", `'\''`), when)
			}
		}
		return 0, nil
	}
	text, run := args[0], args[1]
	for _, when := range args[2:] {
		if s.traps == nil {
			s.traps = map[string]string{}
		}
		s.traps[when] = text
		callback := run
		switch {
		case run == "":
			s.traps[when], callback = "", "-"
		case when == "EXIT":
			callback = ":atexit " + strconv.Itoa(len(s.endings))
			s.endings = append(s.endings, run)
		}
		if err := hc.Builtin(ctx, []string{"trap", "--", callback, when}); err != nil {
			return 1, nil
		}
	}
	return 0, nil
}

// atExit is the trap at the end, for the interpreter. It is told which one, since a script that
// called it mustn't have anything run that isn't rewritten.
func (s *session) atExit(_ context.Context, hc interp.HandlerContext, args []string) (int, error) {
	if number, err := strconv.Atoi(strings.Join(args, " ")); err == nil && number >= 0 && number < len(s.endings) {
		s.ending = s.endings[number]
	}
	return hc.LastExitStatus, nil
}

// callExit says which exit code a trap at the end leaves as it is.
func (s *session) callExit(_ context.Context, args []string) ([]string, error) {
	s.leaves = true
	if len(args) == 1 && s.ended != "" {
		return []string{"exit", s.ended}, nil
	}
	return args, nil
}

// end runs the trap at the end of a script, which may change the exit code.
func (s *session) end(ctx context.Context, runner *interp.Runner, code int) (int, error) {
	file, err := parse(s.ending, "exit trap")
	if err != nil {
		return code, nil
	}
	s.ended = strconv.Itoa(code)
	changed, err := exitCode(runner.Run(ctx, &syntax.Block{Stmts: file.Stmts}))
	if err != nil || runner.Exited() {
		return changed, err
	}
	return code, nil
}
