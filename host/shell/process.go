package shell

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// process runs a command: a file of the workspace that PATH leads to, a tool, or
// one of the shell's own.
func (r *run) process(ctx context.Context, p Process, by caller) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if len(p.Args) == 0 || p.Args[0] == "" {
		return r.missing(p, by, "")
	}
	name := p.Args[0]
	if !strings.Contains(name, "/") {
		paths, _ := valueOf(p.Env, "PATH")
		if file, found := r.inPath(name, p.Dir, paths); found {
			return r.file(ctx, file, p, by)
		}
	}
	if tool, found := r.mapped(name); found {
		return r.tool(ctx, tool, p)
	}
	switch own, found := ownCommand(name); {
	case found && own == "env":
		return r.env(ctx, p)
	case found && own == "sudo":
		return r.sudo(ctx, p)
	case found && slices.Contains(alone, own):
		return r.interpret(ctx, p, script{shell: "sh", zero: own, text: `"$@"`, args: append([]string{own}, p.Args[1:]...)})
	case found:
		return r.sh(ctx, own, p)
	case strings.Contains(name, "/"):
		return r.file(ctx, absolute(p.Dir, name), p, by)
	default:
		return r.missing(p, by, name)
	}
}

// The exit codes of commands that can't be run.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
)

// ErrExecFormat is what a file can't be executed with that is neither a script nor a
// program.
var ErrExecFormat error = errText("Exec format error")

func (r *run) missing(p Process, by caller, name string) (int, error) {
	what := "not found"
	if by.session != nil && by.session.name == "bash" {
		what = "command not found"
		if strings.Contains(name, "/") {
			what = "No such file or directory"
		}
	}
	fmt.Fprintf(p.Stderr, "%s%s: %s\n", by.message(), name, what)
	return exitNotFound, nil
}

// file runs an executable file of the workspace.
func (r *run) file(ctx context.Context, file string, p Process, by caller) (int, error) {
	name := p.Args[0]
	fail := func(text string) (int, error) {
		fmt.Fprintf(p.Stderr, "%s%s: %s\n", by.message(), name, text)
		return exitNotExecutable, nil
	}
	info, err := r.shell.Files.Stat(file)
	switch {
	case err != nil && Errno(err) == workspace.ENOENT:
		return r.missing(p, by, name)
	case err != nil:
		return fail(ErrorText(err))
	case info.Mode.IsDir():
		return fail(workspace.EISDIR.Text())
	case info.Mode&0o111 == 0:
		return fail(workspace.EACCES.Text())
	}
	content, err := r.shell.Files.ReadFile(file)
	if err != nil {
		return fail(ErrorText(err))
	}
	text := string(content[:min(len(content), r.limits.Script+1)])
	switch line, _, _ := strings.Cut(text, "\n"); {
	case strings.HasPrefix(text, "\x00asm") && r.shell.Module != nil:
		code, err := r.tool(ctx, func(ctx context.Context, p Process) (int, error) {
			return r.shell.Module(ctx, file, content, p)
		}, p)
		if errors.Is(err, ErrExecFormat) {
			return fail(ErrExecFormat.Error())
		}
		return code, err
	case strings.HasPrefix(line, "#!"):
		return r.interpreter(ctx, strings.TrimSpace(line[2:]), file, p, by)
	case strings.Contains(line, "\x00"):
		return fail(ErrExecFormat.Error())
	default:
		return r.interpret(ctx, p, script{shell: "sh", zero: name, file: name, text: text, args: p.Args[1:]})
	}
}

// interpreter runs a file by the command of its first line, which gets the path of
// the file if it was PATH that led to it.
func (r *run) interpreter(ctx context.Context, line, file string, p Process, by caller) (int, error) {
	if err := r.checkDepth(); err != nil {
		return 0, err
	}
	command, option, _ := strings.Cut(line, " ")
	args := []string{command}
	if option = strings.TrimSpace(option); option != "" {
		args = append(args, option) // all of it is one argument
	}
	name := p.Args[0]
	if !strings.Contains(name, "/") {
		args = append(args, file)
	} else {
		args = append(args, name)
	}
	p.Args = slices.Concat(args, p.Args[1:])
	if _, found := ownCommand(command); !found {
		if _, found := r.mapped(command); !found {
			fmt.Fprintf(p.Stderr, "%s%s: %s: bad interpreter: No such file or directory\n", by.message(), name, command)
			return exitNotFound, nil
		}
	}
	return r.process(ctx, p, by)
}
