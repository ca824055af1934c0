package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/wasmsandbox/wasmsandbox/host/similar"
)

// meantFlag says of an unknown flag which one may have been meant.
func meantFlag(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	if meant := similar.Names(unknown.GetSpecifiedName(), names); len(meant) == 1 {
		return fmt.Errorf("%w; did you mean --%s?", err, meant[0])
	}
	return err
}

var errTwice = errors.New("the flag is given twice")

// A choice is a flag that takes one of a few values, once.
type choice struct {
	value   string
	allowed []string
	set     bool
}

// addChoice adds a flag whose first value is the default.
func addChoice(cmd *cobra.Command, persistent bool, name, usage string, allowed ...string) *choice {
	c := &choice{value: allowed[0], allowed: allowed}
	flags := cmd.Flags()
	if persistent {
		flags = cmd.PersistentFlags()
	}
	flags.Var(c, name, usage+": "+strings.Join(allowed, ", "))
	mustComplete(cmd, name, cobra.FixedCompletions(allowed, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// addOptionalChoice adds a flag without a default.
func addOptionalChoice(cmd *cobra.Command, name, usage string, allowed ...string) *choice {
	c := addChoice(cmd, false, name, usage, allowed...)
	c.value = ""
	cmd.Flags().Lookup(name).DefValue = ""
	return c
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return "WORD" }

func (c *choice) Set(value string) error {
	switch {
	case c.set:
		return errTwice
	case !slices.Contains(c.allowed, value):
		return fmt.Errorf("want one of %s", strings.Join(c.allowed, ", "))
	}
	c.value, c.set = value, true
	return nil
}

// A once is a flag that takes one text, once.
type once struct {
	value, kind string
	set         bool
}

func addOnce(cmd *cobra.Command, name, kind, usage string) *once {
	o := &once{kind: kind}
	cmd.Flags().Var(o, name, usage)
	return o
}

func (o *once) String() string { return o.value }
func (o *once) Type() string   { return o.kind }

func (o *once) Set(value string) error {
	switch {
	case o.set:
		return errTwice
	case value == "":
		return errors.New("it is empty")
	}
	o.value, o.set = value, true
	return nil
}

// mustComplete registers the completion of a flag that exists.
func mustComplete(cmd *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err)
	}
}

// completeFiles completes arguments with files of some extensions, and folders.
func completeFiles(extensions ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}
