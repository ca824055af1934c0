package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// footerKey is the annotation of a command that ends its help.
const footerKey = "footer"

const usageTemplate = `Usage:
  {{.UseLine}}
{{- if .HasExample}}

Examples:
{{.Example}}
{{- end}}
{{- if .HasAvailableSubCommands}}

Commands:
{{- range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}}  {{.Short}}{{end}}{{end}}
{{- end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{- end}}
{{- if .HasAvailableInheritedFlags}}

Global flags:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{- end}}
{{- with index .Annotations "` + footerKey + `"}}

{{.}}
{{- end}}
`

const helpTemplate = `{{with or .Long .Short}}{{. | trimTrailingWhitespaces}}

{{end}}{{.UsageString}}`

// newHelp is cobra's help command, but fails when there is no such command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Tell how to use a command",
		Example: "  wasmsandbox help run",
		RunE: func(cmd *cobra.Command, args []string) error {
			target, rest, err := cmd.Root().Find(args)
			if err != nil || target == nil || len(rest) > 0 {
				return fmt.Errorf("no command is called %q", strings.Join(args, " "))
			}
			target.InitDefaultHelpFlag()
			return target.Help()
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			var names []string
			for _, c := range cmd.Root().Commands() {
				if len(args) == 0 && c.IsAvailableCommand() {
					names = append(names, cobra.CompletionWithDesc(c.Name(), c.Short))
				}
			}
			return names, cobra.ShellCompDirectiveNoFileComp
		},
	}
}

// addCompletion adds cobra's completion command, with an error in the place of
// help when no shell, or an unknown one, is named.
func addCompletion(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		panic(err)
	}
	cmd.Use = "completion SHELL"
	cmd.Short = "Print the code that makes a shell complete this command"
	cmd.Long = "Print the code that makes a shell complete commands, flags and files. The help of\neach shell's command tells how to load it."
	cmd.Example = "  source <(wasmsandbox completion bash)\n  wasmsandbox completion zsh --help"
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return errors.New("a shell is missing: bash, fish, powershell or zsh")
		}
		return fmt.Errorf("no completion for %q: there is one for bash, fish, powershell and zsh", args[0])
	}
}

// noArgs is for a command that has only sub-commands: it suggests one.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	text := fmt.Sprintf("unknown command %q", args[0])
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return errors.New(text)
}

// exactlyOne wants one argument, and says what it is.
func exactlyOne(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return fmt.Errorf("%s is missing", what)
		case 1:
			return nil
		default:
			return fmt.Errorf("one argument too many: %q", args[1])
		}
	}
}

// atLeastOne wants arguments, and says what they are.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s is missing", what)
		}
		return nil
	}
}
