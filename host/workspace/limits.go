package workspace

import (
	"fmt"
	"math"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

// The limits of a tree that sets none.
const (
	DefaultMaxBytes = 512 << 20
	DefaultMaxFiles = 200_000
)

// The lengths of the longest name, path and chain of symlinks, as on Linux.
const (
	maxName  = 255
	maxPath  = 4096
	maxLinks = 40
)

// Limits bound what a tree holds. A field that isn't above 0 takes its default.
type Limits struct {
	// Bytes is the most that the contents of all files may have together,
	// symlinks' targets counted in.
	Bytes int64

	// Files is the most that there may be of files, folders and symlinks. A file
	// with several names is counted once for each.
	Files int
}

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultMaxBytes
	}
	l.Bytes = min(l.Bytes, math.MaxInt) // which one file can have
	if l.Files <= 0 {
		l.Files = DefaultMaxFiles
	}
	return l
}

// A LimitError is an operation that would have gone beyond a limit, and did
// nothing. It matches [ENOSPC].
type LimitError struct {
	Limit  string // "bytes" or "files"
	Max    int64
	Actual int64 // what there would have been
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the workspace may have %d %s, not %d", e.Max, e.Limit, e.Actual)
}

// Is reports true for ENOSPC.
func (e *LimitError) Is(target error) bool { return target == ENOSPC }

// usage is what a tree holds.
type usage struct {
	limits Limits
	bytes  int64
	files  int
}

// reserve counts what is to be added, unless it is too much. Negative numbers
// give back.
func (u *usage) reserve(bytes int64, files int) error {
	if bytes > u.limits.Bytes-u.bytes && bytes > 0 {
		return &LimitError{Limit: "bytes", Max: u.limits.Bytes, Actual: saturating.Add(u.bytes, bytes)}
	}
	if files > u.limits.Files-u.files && files > 0 {
		return &LimitError{Limit: "files", Max: int64(u.limits.Files), Actual: int64(u.files + files)}
	}
	u.bytes += bytes
	u.files += files
	return nil
}

// room says whether so much could be added.
func (u *usage) room(bytes int64, files int) error {
	probe := *u
	return probe.reserve(bytes, files)
}
