package shell

import "fmt"

// The limits of a shell that sets none.
const (
	DefaultMaxScript    = 1 << 20
	DefaultMaxCommands  = 1_000_000
	DefaultMaxOutput    = 64 << 20
	DefaultMaxPipe      = 16 << 20
	DefaultMaxVariable  = 1 << 20
	DefaultMaxArguments = 2 << 20
	DefaultMaxDepth     = 200
	DefaultMaxMatches   = 1_000_000
)

// Limits bound what one call of [Shell.Run] uses, with all that it runs itself.
// A field that isn't above 0 takes its default. What goes beyond is a *[LimitError].
type Limits struct {
	Script    int   // the bytes of a script, or of what is evaluated or sourced
	Commands  int   // how many commands are run, builtins and functions included
	Output    int64 // the bytes of standard output and error together
	Pipe      int64 // the bytes that one stage of a pipeline hands on
	Variable  int   // the bytes of a variable, or of one command substitution
	Arguments int   // the bytes of all arguments of a command
	Depth     int   // about how deep functions and scripts may call each other
	Matches   int   // how many names are looked at to match one command's patterns
}

func (l Limits) withDefaults() Limits {
	set := func(field *int, standard int) {
		if *field <= 0 {
			*field = standard
		}
	}
	set(&l.Script, DefaultMaxScript)
	set(&l.Commands, DefaultMaxCommands)
	set(&l.Variable, DefaultMaxVariable)
	set(&l.Arguments, DefaultMaxArguments)
	set(&l.Depth, DefaultMaxDepth)
	set(&l.Matches, DefaultMaxMatches)
	if l.Output <= 0 {
		l.Output = DefaultMaxOutput
	}
	if l.Pipe <= 0 {
		l.Pipe = DefaultMaxPipe
	}
	return l
}

// A LimitError is a script that wanted more than a limit allows. It ends the shell.
type LimitError struct {
	Limit string // the name of the field of Limits, in lower case; or braces, nesting, open, pattern, or variables
	Max   int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the script goes beyond the limit of %d for %s", e.Max, e.Limit)
}

// A refusedError is a construct that the shell doesn't run, since it would be done
// by the host or not be the same in each run.
type refusedError struct {
	what string
	line int
}

func (e *refusedError) Error() string { return e.what + " is not supported" }

// An InternalError is a failure of the shell itself, and not of a script.
type InternalError struct {
	Cause any // what was panicked with
	Stack []byte
}

func (e *InternalError) Error() string { return fmt.Sprintf("the shell failed: %v", e.Cause) }
