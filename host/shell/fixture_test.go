package shell_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// basics are tools that tests need, and which are no utilities of their own.
var basics = map[string]shell.Tool{
	"cat": func(_ context.Context, p shell.Process) (int, error) {
		for _, name := range p.Args[1:] {
			content, err := p.Files.ReadFile(p.Dir + "/" + name)
			if err != nil {
				fmt.Fprintf(p.Stderr, "cat: %s: %s\n", name, shell.ErrorText(err))
				return 1, nil
			}
			if _, err := p.Stdout.Write(content); err != nil {
				return 0, err
			}
		}
		if len(p.Args) == 1 {
			if _, err := io.Copy(p.Stdout, p.Stdin); err != nil {
				return 0, err
			}
		}
		return 0, nil
	},
	"yes": func(ctx context.Context, p shell.Process) (int, error) {
		line := []byte(strings.Repeat("y\n", 2048))
		for ctx.Err() == nil {
			if _, err := p.Stdout.Write(line); err != nil {
				return 0, err
			}
		}
		return 0, ctx.Err()
	},
	"fail": func(context.Context, shell.Process) (int, error) { return 3, nil },
	"args": func(_ context.Context, p shell.Process) (int, error) {
		fmt.Fprintln(p.Stdout, strings.Join(p.Args, "|"))
		return 0, nil
	},
}

func newTree(t testing.TB) *workspace.Tree {
	t.Helper()
	return workspace.New(workspace.Config{Now: 1_700_000_000_000_000_000})
}

// A result is what a run has come to.
type result struct {
	stdout, stderr string
	code           int
	err            error
}

func run(ctx context.Context, s *shell.Shell, stdin string, args ...string) result {
	return runProcess(ctx, s, shell.Process{Args: args, Stdin: strings.NewReader(stdin)})
}

func runProcess(ctx context.Context, s *shell.Shell, p shell.Process) result {
	var out, errs bytes.Buffer
	p.Stdout, p.Stderr = &out, &errs
	code, err := s.Run(ctx, p)
	return result{out.String(), errs.String(), code, err}
}

func newShell(t testing.TB) *shell.Shell {
	return &shell.Shell{Files: newTree(t), Lookup: shell.Tools(basics)}
}
