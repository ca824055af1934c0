package workspace

import "fmt"

// A PolicyError is a root or grant that can't be one.
type PolicyError struct {
	Path  string // as it was given; that of a grant for all paths is "/"
	Grant bool   // it is a grant's
	Err   error  // why no file could have it; nil: it isn't absolute, or is that of all paths
}

func (e *PolicyError) Error() string {
	what := "the root"
	if e.Grant {
		what = "a grant"
	}
	switch {
	case e.Err != nil:
		return fmt.Sprintf("workspace: the path of %s can't be used: %q: %s", what, e.Path, e.Err)
	case e.Path == "/":
		return "workspace: a grant can't be for all paths"
	default:
		return fmt.Sprintf("workspace: the path of %s isn't absolute: %q", what, e.Path)
	}
}

func (e *PolicyError) Unwrap() error { return e.Err }

// The reasons of an EscapeError, as the original names them.
const (
	ReasonAbsolute   = "absolute"
	ReasonEscapeRoot = "escape_root"
)

// An EscapeError is a path that leads out of the workspace.
type EscapeError struct {
	Path     string
	Reason   string // ReasonAbsolute or ReasonEscapeRoot
	Resolved string // where symlinks led; "": the path alone says it
}

func (e *EscapeError) Error() string {
	if e.Reason == ReasonAbsolute {
		return fmt.Sprintf("the path %q is outside of the root", e.Path)
	}
	return fmt.Sprintf("the path %q leaves the root", e.Path)
}

// Is reports true for EPERM and what that matches.
func (e *EscapeError) Is(target error) bool { return target == EPERM || EPERM.Is(target) }

// A ReadOnlyError is a change of what a grant allows to read only.
type ReadOnlyError struct {
	Path     string
	Grant    string
	Resolved string // where symlinks led; "": the path alone says it
}

func (e *ReadOnlyError) Error() string {
	return fmt.Sprintf("the path %q can only be read, as %q", e.Path, e.Grant)
}

// Is reports true for EROFS and what that matches.
func (e *ReadOnlyError) Is(target error) bool { return target == EROFS || EROFS.Is(target) }
