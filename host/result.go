package host

import (
	"slices"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// An ExecResult is the result of exec: a command that ran to its end (S7.1).
type ExecResult struct {
	Stdout   []byte
	Stderr   []byte
	ExitCode int
}

// OK reports whether the command succeeded.
func (r ExecResult) OK() bool { return r.ExitCode == 0 }

func (r ExecResult) clone() ExecResult {
	r.Stdout = slices.Clone(r.Stdout)
	r.Stderr = slices.Clone(r.Stderr)
	return r
}

// A PTYUpdate is the result of both PTY methods. A live process has an id and
// no exit code, a finished one an exit code and no id (S7.7).
type PTYUpdate struct {
	ProcessID          *int
	Output             []byte
	ExitCode           *int
	OriginalTokenCount *int // tokens before the output was cut; nil: not cut
}

func (u PTYUpdate) clone() PTYUpdate {
	u.Output = slices.Clone(u.Output)
	u.ProcessID = clonePointer(u.ProcessID)
	u.ExitCode = clonePointer(u.ExitCode)
	u.OriginalTokenCount = clonePointer(u.OriginalTokenCount)
	return u
}

func clonePointer[T any](p *T) *T {
	if p == nil {
		return nil
	}
	return new(*p)
}

type (
	// FileEntry is one file of the result of ls (S7.2).
	FileEntry = abi.FileEntry

	// FileKind is what a file entry is. The zero value is a regular file.
	FileKind = abi.FileKind

	// Permissions are those of a file entry (S7.3).
	Permissions = abi.Permissions
)

// The kinds of file entries.
const (
	FileKindFile      = abi.FileKindFile
	FileKindDirectory = abi.FileKindDirectory
	FileKindSymlink   = abi.FileKindSymlink
	FileKindOther     = abi.FileKindOther
)
