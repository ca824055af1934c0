package abi

// A ReplyKind tells which field of a Reply is set. Its values are the numbers of
// the fields.
type ReplyKind uint8

// The kinds of replies.
const (
	ReplyDescription ReplyKind = 1
	ReplyVerdict     ReplyKind = 2
	ReplyOutcome     ReplyKind = 3
	ReplyError       ReplyKind = 4
	ReplyDone        ReplyKind = 5
)

var replyKindNames = [...]string{"nothing", "a description", "a verdict", "an outcome", "an error", "done"}

// String is the kind with its article, such as "a verdict", for messages.
func (k ReplyKind) String() string { return nameOf(replyKindNames[:], uint8(k)) }

// Kind is the kind of the first field that is set, in the order of the fields,
// or zero. A decoded reply has exactly one.
func (m *Reply) Kind() ReplyKind {
	switch {
	case m.Description != nil:
		return ReplyDescription
	case m.Verdict != nil:
		return ReplyVerdict
	case m.Outcome != nil:
		return ReplyOutcome
	case m.Error != nil:
		return ReplyError
	case m.Done:
		return ReplyDone
	default:
		return 0
	}
}

// An OutcomeKind tells which field of an Outcome is set. Its values are the
// numbers of the fields.
type OutcomeKind uint8

// The kinds of outcomes.
const (
	OutcomeVoid    OutcomeKind = 1
	OutcomeExec    OutcomeKind = 2
	OutcomeStream  OutcomeKind = 3
	OutcomeListing OutcomeKind = 4
	OutcomeText    OutcomeKind = 5
	OutcomePTY     OutcomeKind = 6
	OutcomeError   OutcomeKind = 7
)

var outcomeKindNames = [...]string{
	"nothing", "void", "an exec result", "a stream", "a listing", "text", "a PTY update", "a sandbox error",
}

// String is the kind with its article, such as "a stream", for messages.
func (k OutcomeKind) String() string { return nameOf(outcomeKindNames[:], uint8(k)) }

func nameOf(names []string, k uint8) string {
	if int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Kind is the kind of the first field that is set, in the order of the fields,
// or zero. A decoded outcome has exactly one.
func (m *Outcome) Kind() OutcomeKind {
	switch {
	case m.Void:
		return OutcomeVoid
	case m.Exec != nil:
		return OutcomeExec
	case m.Stream != nil:
		return OutcomeStream
	case m.Listing != nil:
		return OutcomeListing
	case m.Text != nil:
		return OutcomeText
	case m.PTY != nil:
		return OutcomePTY
	case m.Error != nil:
		return OutcomeError
	default:
		return 0
	}
}

// Fits reports whether the outcome can answer a call of the method: with the
// method's kind of result, or with a sandbox error.
func (m *Outcome) Fits(method Method) bool {
	kind := m.Kind()
	return method.Valid() && (kind == OutcomeError || kind == method.OutcomeKind())
}

// OutcomeKind is the kind of result the method has, or zero for an unknown
// method.
func (m Method) OutcomeKind() OutcomeKind {
	switch m {
	case Write, Rm, Mkdir:
		return OutcomeVoid
	case Exec:
		return OutcomeExec
	case Read:
		return OutcomeStream
	case Ls:
		return OutcomeListing
	case ApplyPatch:
		return OutcomeText
	case PTYExecStart, PTYWriteStdin:
		return OutcomePTY
	default:
		return 0
	}
}
