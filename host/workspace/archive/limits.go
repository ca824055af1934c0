package archive

import "fmt"

// The limits of S6.22 for those who want some.
const (
	DefaultMaxInputBytes     = 1 << 30
	DefaultMaxExtractedBytes = 4 << 30
	DefaultMaxMembers        = 100_000
)

// Limits bound what Extract takes. A zero field is no limit, other than that of
// the workspace.
type Limits struct {
	MaxInputBytes     int64 // of the archive as it comes
	MaxExtractedBytes int64 // of the files in it, together
	MaxMembers        int64 // files and folders
}

// DefaultLimits are those of S6.22.
func DefaultLimits() Limits {
	return Limits{DefaultMaxInputBytes, DefaultMaxExtractedBytes, DefaultMaxMembers}
}

// Validate reports a limit that is negative as a *LimitValueError.
func (l Limits) Validate() error {
	for _, f := range [...]struct {
		name  string
		value int64
	}{
		{"max_input_bytes", l.MaxInputBytes},
		{"max_extracted_bytes", l.MaxExtractedBytes},
		{"max_members", l.MaxMembers},
	} {
		if f.value < 0 {
			return &LimitValueError{Field: f.name, Value: f.value}
		}
	}
	return nil
}

// A LimitValueError is a limit that can't be one.
type LimitValueError struct {
	Field string // such as "max_members"
	Value int64
}

func (e *LimitValueError) Error() string {
	return fmt.Sprintf("%s must be at least 1, not %d", e.Field, e.Value)
}
