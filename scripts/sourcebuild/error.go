package sourcebuild

import (
	"fmt"
	"os/exec"
	"strings"
)

// An Error says why a build failed.
type Error struct {
	Language Language
	Dir      string // of the source
	Command  string // what failed, such as "go build"
	Output   string // what it printed, in full
	Err      error  // such as an *exec.ExitError
}

func (e *Error) Error() string {
	text := e.Command + " failed: " + e.Err.Error()
	if output := strings.TrimRight(e.Output, "\n"); output != "" {
		text += "\n\t" + strings.ReplaceAll(output, "\n", "\n\t")
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// A MissingToolError says what has to be installed for a language. errors.Is finds
// exec.ErrNotFound in it.
type MissingToolError struct {
	Language Language
	Problem  string   // such as "there is no go command"
	Install  []string // each is one way to get what is missing
}

func (e *MissingToolError) Error() string {
	text := fmt.Sprintf("building it from %s isn't possible: %s", e.Language.Title(), e.Problem)
	if len(e.Install) == 1 {
		return text + "; " + e.Install[0]
	}
	for _, way := range e.Install {
		text += "\n\t" + way
	}
	return text
}

// Unwrap gives exec.ErrNotFound.
func (e *MissingToolError) Unwrap() error { return exec.ErrNotFound }

// An OutputError says that a build succeeded, but didn't make one module.
type OutputError struct {
	Language Language
	Made     []string // the modules, more than one, or none
	Want     string   // what makes the build give one
}

func (e *OutputError) Error() string {
	if len(e.Made) == 0 {
		return fmt.Sprintf("the build made no module; %s", e.Want)
	}
	return fmt.Sprintf("the build made %d modules, %s; %s", len(e.Made), strings.Join(e.Made, ", "), e.Want)
}
