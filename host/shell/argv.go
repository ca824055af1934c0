package shell

import (
	"context"
	"fmt"
	"io"
	"strings"
)

// sh runs a shell by its arguments: -c SCRIPT, a file, or what it reads.
func (r *run) sh(ctx context.Context, name string, p Process) (int, error) {
	shell := "sh"
	if name == "bash" {
		shell = "bash"
	}
	o, bad := parseShell(p.Args[1:])
	if bad != "" {
		fmt.Fprintf(p.Stderr, "%s: 0: Illegal option %s\n", shell, bad)
		return 2, nil
	}
	sc := script{shell: shell, zero: p.Args[0], params: o.params, args: o.rest}
	switch {
	case o.command && len(o.rest) == 0:
		fmt.Fprintf(p.Stderr, "%s: 0: -c requires an argument\n", shell)
		return 2, nil
	case o.command:
		sc.text, sc.args = o.rest[0], o.rest[1:]
		if len(sc.args) > 0 {
			sc.zero, sc.args = sc.args[0], sc.args[1:]
		}
	case len(o.rest) > 0 && !o.stdin:
		content, err := r.shell.Files.ReadFile(absolute(p.Dir, o.rest[0]))
		if err != nil {
			fmt.Fprintf(p.Stderr, "%s: 0: cannot open %s: %s\n", shell, o.rest[0], strings.TrimSuffix(ErrorText(err), " or directory"))
			if shell == "bash" {
				return exitNotFound, nil
			}
			return 2, nil
		}
		sc.zero, sc.file, sc.text, sc.args = o.rest[0], o.rest[0], string(content), o.rest[1:]
	default:
		if p.Stdin == nil {
			return 0, nil
		}
		if isTyped(p) {
			return r.interact(ctx, p, sc)
		}
		content, err := io.ReadAll(io.LimitReader(p.Stdin, int64(r.limits.Script)+1))
		if err != nil {
			return 0, r.failed(ctx.Err(), err)
		}
		sc.text, p.Stdin = string(content), nil
	}
	return r.interpret(ctx, p, sc)
}

// shellOptions are the arguments of a shell.
type shellOptions struct {
	command, stdin bool
	params         []string // for set
	rest           []string
}

// parseShell reads the options of a shell. It gives the one that is wrong.
func parseShell(args []string) (o shellOptions, bad string) {
	for len(args) > 0 && len(args[0]) > 1 && (args[0][0] == '-' || args[0][0] == '+') {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		if strings.HasPrefix(option, "--") {
			switch option {
			case "--login", "--norc", "--noprofile", "--posix", "--noediting":
				continue
			}
			return o, option
		}
		for _, flag := range option[1:] {
			switch flag {
			case 'c':
				o.command = true
			case 's':
				o.stdin = true
			case 'l', 'i':
			case 'a', 'e', 'f', 'n', 'u', 'x':
				o.params = append(o.params, option[:1]+string(flag))
			case 'o', 'O':
				if len(args) == 0 {
					return o, option
				}
				if flag == 'o' && !idleModes[args[0]] {
					o.params = append(o.params, option[:1]+"o", args[0])
				}
				args = args[1:]
			default:
				if !strings.ContainsRune(idleFlags, flag) {
					return o, "-" + string(flag)
				}
			}
		}
	}
	o.rest = args
	return o, ""
}

// env runs a command in a changed environment, or prints the environment.
func (r *run) env(ctx context.Context, p Process) (int, error) {
	args := p.Args[1:]
	env := append([]string{}, p.Env...)
	for len(args) > 0 && len(args[0]) > 0 && args[0][0] == '-' {
		option := args[0]
		args = args[1:]
		switch {
		case option == "-" || option == "-i" || option == "--ignore-environment":
			env = env[:0]
		case (option == "-u" || option == "-C") && len(args) > 0:
			if option == "-u" {
				env = without(env, args[0])
			} else {
				p.Dir = absolute(p.Dir, args[0])
			}
			args = args[1:]
		case strings.HasPrefix(option, "-S"):
			args = append(strings.Fields(option[2:]), args...)
		case option == "--":
		default:
			fmt.Fprintf(p.Stderr, "env: invalid option -- '%s'\n", strings.TrimLeft(option, "-"))
			return 125, nil
		}
		if option == "--" {
			break
		}
	}
	for len(args) > 0 && strings.Contains(args[0], "=") {
		name, _, _ := strings.Cut(args[0], "=")
		env = append(without(env, name), args[0])
		args = args[1:]
	}
	if len(args) == 0 {
		for _, pair := range env {
			fmt.Fprintln(p.Stdout, pair)
		}
		return 0, nil
	}
	p.Env, p.Args = env, args
	if err := r.checkDepth(); err != nil {
		return 0, err
	}
	return r.process(ctx, p, caller{})
}

func without(env []string, name string) []string {
	kept := make([]string, 0, len(env)+1)
	for _, pair := range env {
		if !strings.HasPrefix(pair, name+"=") {
			kept = append(kept, pair)
		}
	}
	return kept
}

// sudo runs a command as another user (S6.5).
func (r *run) sudo(ctx context.Context, p Process) (int, error) {
	args := p.Args[1:]
	user := User{Name: "root"}
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		switch option {
		case "-u", "-g":
			if len(args) == 0 {
				fmt.Fprintf(p.Stderr, "sudo: option requires an argument -- '%s'\n", option[1:])
				return 1, nil
			}
			if option == "-u" && args[0] != "root" {
				user = r.shell.Accounts.orNew(args[0])
			}
			args = args[1:]
		case "-n", "-E", "-H", "-S":
		default:
			fmt.Fprintf(p.Stderr, "sudo: invalid option -- '%s'\n", strings.TrimLeft(option, "-"))
			return 1, nil
		}
	}
	for len(args) > 0 && strings.Contains(args[0], "=") {
		p.Env = append(p.Env[:len(p.Env):len(p.Env)], args[0])
		args = args[1:]
	}
	if len(args) == 0 {
		fmt.Fprintln(p.Stderr, "usage: sudo [-u user] command")
		return 1, nil
	}
	for _, name := range []string{"USER", "LOGNAME"} {
		p.Env = append(without(p.Env, name), name+"="+user.Name)
	}
	p.User, p.Args = user, args
	return r.process(ctx, p, caller{})
}
