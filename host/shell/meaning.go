package shell

import (
	"slices"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"
)

// A NameMeaning is what a shell takes a command's name for, whatever tools there are.
type NameMeaning uint8

// The meanings of names.
const (
	Command NameMeaning = iota // of a tool, a utility or a file
	Builtin                    // such as cd: no tool is run by this name in a script
	Keyword                    // such as if: the same
	Itself                     // such as sh: a tool of this name runs in the place of the shell
)

// Meaning tells what a shell takes a name for.
func Meaning(name string) NameMeaning {
	switch {
	case syntax.IsKeyword(name):
		return Keyword
	case interp.IsBuiltin(name), internal[name] != nil:
		return Builtin
	case slices.Contains(shells, name):
		return Itself
	default:
		return Command
	}
}
