package main

import (
	"encoding/json"
	"errors"
	"io"

	"github.com/spf13/cobra"
)

const rootLong = `wasmsandbox plays the sandbox of an AI agent from a script: it answers calls such
as exec, read and write, step by step, with fixed results or with WebAssembly
guests, and tells what didn't go as scripted.`

const rootExample = `  wasmsandbox new greeter           # a responder in Go, its script and tests
  wasmsandbox run greeter           # make the script's calls
  wasmsandbox validate greeter      # list all that is wrong with the script
  wasmsandbox inspect greeter.wasm  # what is this module?`

const rootFooter = exitHelp + `

Environment:
  NO_COLOR           no colours, unless --color=always
  WASMSANDBOX_CACHE  the folder of compiled guests; "off" does without one`

func (a *app) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:         "wasmsandbox COMMAND",
		Short:       "Run, check and make scripted sandbox sessions",
		Long:        rootLong,
		Example:     rootExample,
		Annotations: map[string]string{footerKey: rootFooter},

		Args:                       noArgs,
		SilenceErrors:              true,
		SilenceUsage:               true,
		DisableFlagsInUseLine:      true,
		SuggestionsMinimumDistance: 2,
		Version:                    buildVersion().Version,
	}
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		cmd.SetOut(a.stderr)
		return errors.Join(cmd.Help(), exitWith(exitUsage))
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	root.SetUsageTemplate(usageTemplate)
	root.SetHelpTemplate(helpTemplate)
	root.SetVersionTemplate("wasmsandbox {{.Version}}\n")
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return &usageHint{err: meantFlag(cmd, err), command: cmd.CommandPath()}
	})
	a.color = addChoice(root, true, "color", "colours", "auto", "always", "never")
	root.AddCommand(a.newRun(), a.newValidate(), a.newVerify(), a.newInspect(), a.newConformance(), a.newNew(), a.newBuild(),
		a.newVersion(), a.newVerifyProcess())
	root.SetHelpCommand(newHelp())
	addCompletion(root)
	for _, cmd := range root.Commands() {
		hintArgs(cmd)
	}
	return root
}

// hintArgs makes wrong arguments point at the command's own help.
func hintArgs(cmd *cobra.Command) {
	check := cmd.Args
	if check == nil {
		return
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return &usageHint{err: err, command: cmd.CommandPath()}
		}
		return nil
	}
}

// printJSON prints a document for people and programs.
func printJSON(w io.Writer, document any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}
