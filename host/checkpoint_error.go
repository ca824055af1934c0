package host

import (
	"cmp"
	"errors"
)

// A CheckpointErrorKind is why a checkpoint can't be taken, written or read, or why no
// session can be made of it. It is an error itself:
//
//	errors.Is(err, host.CheckpointBusy)
type CheckpointErrorKind string

// The reasons.
const (
	CheckpointBusy     CheckpointErrorKind = "busy"     // a call, start or stop is in progress
	CheckpointTerminal CheckpointErrorKind = "terminal" // a process lives in a terminal
	CheckpointGuest    CheckpointErrorKind = "guest"    // a guest can't be copied, written or read
	CheckpointFiles    CheckpointErrorKind = "files"    // a file of the workspace can't be in an archive
	CheckpointOption   CheckpointErrorKind = "option"   // an option would replace the manifest or the workspace

	CheckpointMalformed    CheckpointErrorKind = "malformed"     // the file isn't one, or is damaged
	CheckpointTruncated    CheckpointErrorKind = "truncated"     // the file is cut short
	CheckpointTooLarge     CheckpointErrorKind = "too_large"     // there is more than MaxCheckpoint
	CheckpointWrongVersion CheckpointErrorKind = "wrong_version" // the file is of another one than CheckpointVersion
	CheckpointOtherScript  CheckpointErrorKind = "other_script"  // the file is of other steps or options
	CheckpointOtherModule  CheckpointErrorKind = "other_module"  // the file is of another module, or of one configured otherwise
)

var checkpointErrorTexts = map[CheckpointErrorKind]string{
	CheckpointBusy:         "a call, start or stop is in progress",
	CheckpointTerminal:     "a process lives in a terminal",
	CheckpointGuest:        "a guest can't be copied",
	CheckpointFiles:        "a file of the workspace can't be in an archive",
	CheckpointOption:       "manifest and workspace can't be replaced",
	CheckpointMalformed:    "the file isn't one, or is damaged",
	CheckpointTruncated:    "the file is cut short",
	CheckpointTooLarge:     "there is more than MaxCheckpoint",
	CheckpointWrongVersion: "the file is of another version",
	CheckpointOtherScript:  "the file is of another script",
	CheckpointOtherModule:  "the file is of another module",
}

// String is what a sentence says of it, such as "the file is cut short".
func (k CheckpointErrorKind) String() string { return cmp.Or(checkpointErrorTexts[k], string(k)) }

func (k CheckpointErrorKind) Error() string { return "checkpoint: " + k.String() }

// A CheckpointError says why a checkpoint can't be taken, written, or read with such a
// script, or why no session with such options can be made of it.
type CheckpointError struct {
	Kind   CheckpointErrorKind
	Module string // of a guest: the name that it was loaded under
	Detail string // what exactly; may be empty
	Err    error  // what its engine failed with; may be nil
}

func (e *CheckpointError) Error() string {
	text := e.Kind.Error()
	if e.Module != "" {
		text += ": " + e.Module
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Is finds the error by its kind.
func (e *CheckpointError) Is(target error) bool {
	kind, ok := target.(CheckpointErrorKind)
	return ok && kind == e.Kind
}

func (e *CheckpointError) Unwrap() error { return e.Err }

// errNameless is why a guest that has a removed file open can't be kept: nothing could open
// that file again.
var errNameless = errors.New("host: it has a file open that was removed")

// errHiddenModule is why a guest whose module no step names can't be written: a reader
// wouldn't find the module.
var errHiddenModule = errors.New("host: a handler in Go uses it, and no step names it")

// malformed is the error of a file that says something impossible.
func malformed(detail string) error {
	return &CheckpointError{Kind: CheckpointMalformed, Detail: detail}
}
