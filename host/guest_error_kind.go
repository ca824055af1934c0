package host

import "cmp"

// A GuestErrorKind is how a guest failed: a word that stays the same, whatever the
// texts of errors become. It is an error itself:
//
//	errors.Is(err, host.GuestTrap)
type GuestErrorKind string

// The ways in which a guest fails while it works.
const (
	GuestPanic       GuestErrorKind = "panic"         // and said so through the import fail
	GuestTrap        GuestErrorKind = "trap"          // ended by the WebAssembly machine
	GuestExit        GuestErrorKind = "exit"          // called proc_exit
	GuestInterrupted GuestErrorKind = "interrupted"   // by the end of the context
	GuestBadPointer  GuestErrorKind = "bad_pointer"   // outside of its memory
	GuestBadReply    GuestErrorKind = "bad_reply"     // undecodable, of another kind, for another method
	GuestOutOfFuel   GuestErrorKind = "out_of_fuel"   // of Limits.CallFuel or Limits.SessionFuel
	GuestTooDeep     GuestErrorKind = "too_deep"      // its calls, for Limits.CallDepth
	GuestOutOfMemory GuestErrorKind = "out_of_memory" // failed in a call in which it was refused memory or entries of a table: Limits.MemoryBytes, Limits.TableEntries
	GuestLimit       GuestErrorKind = "limit"         // went over another one of the Limits, or failed in a call in which it was refused blobs
	GuestFailed      GuestErrorKind = "failed"        // the handler returned an error of its own
	GuestBadConfig   GuestErrorKind = "bad_config"    // it refused its configuration when it was opened
	GuestBadVersion  GuestErrorKind = "bad_version"   // it speaks a later version of the ABI
	GuestRefused     GuestErrorKind = "refused"       // unknown handler or method, undecodable message, NUL in an argument
	GuestDead        GuestErrorKind = "dead"          // it has failed before
)

var guestErrorTexts = map[GuestErrorKind]string{
	GuestPanic:       "panicked",
	GuestTrap:        "trapped",
	GuestExit:        "exited",
	GuestInterrupted: "was interrupted",
	GuestBadPointer:  "gave a bad pointer",
	GuestBadReply:    "gave a bad reply",
	GuestOutOfFuel:   "ran out of fuel",
	GuestTooDeep:     "nested its calls too deep",
	GuestOutOfMemory: "ran out of memory",
	GuestLimit:       "went over a limit",
	GuestFailed:      "failed",
	GuestBadConfig:   "refused its configuration",
	GuestBadVersion:  "speaks a later version of the ABI",
	GuestRefused:     "refused the call",
	GuestDead:        "is dead",
}

// String is the rest of a sentence about a guest, such as "ran out of fuel".
func (k GuestErrorKind) String() string { return cmp.Or(guestErrorTexts[k], string(k)) }

func (k GuestErrorKind) Error() string { return "guest " + k.String() }
