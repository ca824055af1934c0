package v4a

// A Kind is why a diff can't be applied, or a patch can't be read. It is an error
// itself, so that errors.Is(err, v4a.InvalidContext) asks for one.
type Kind string

// What [Apply] and [Create] fail with. The text of an error is the line that can't
// be used, unless something else is said.
const (
	// InvalidAddLine is a line of a new file that doesn't start with + (S6.51).
	InvalidAddLine Kind = "Invalid Add File Line"

	// InvalidLine is a line that starts with none of space, - and + (S6.54).
	InvalidLine Kind = "Invalid Line"

	// MissingHeader is a line after a hunk that no @@ is before (S6.55).
	MissingHeader Kind = "a hunk other than the first has no header"

	// EmptyHunk is a hunk without lines (S6.56). Its index is where in the diff they
	// should be, counted from 0, and its text is the line that is there instead.
	EmptyHunk Kind = "Nothing in this section"

	// InvalidAnchor is one of several headers whose text isn't found (S6.58). Its
	// index is the line of the file from which it was looked for, counted from 0.
	InvalidAnchor Kind = "Invalid Anchor"

	// InvalidContext is a hunk whose lines aren't found (S6.59). The text is all that
	// was looked for, and the index as with InvalidAnchor.
	InvalidContext Kind = "Invalid Context"

	// InvalidEndContext is the same for a hunk with an end-of-file marker (S6.60).
	InvalidEndContext Kind = "Invalid EOF Context"

	// OverlappingHunk is a hunk that is found at the end of the file, where one
	// before it has already changed lines (S6.63). Its index is the line of the file
	// that would be changed again, counted from 0.
	OverlappingHunk Kind = "Overlapping Hunk"

	// TooLarge is a text, a diff or a patch beyond [MaxText], [MaxDiff] or
	// [MaxPatch], the last from [Parse], or beyond [MaxTextLines] or [MaxDiffLines].
	TooLarge Kind = "Too Large"
)

// What [Parse] fails with (S6.78).
const (
	MissingBegin      Kind = "the patch must start with *** Begin Patch"
	MissingEnd        Kind = "the patch must end with *** End Patch"
	NoOperations      Kind = "the patch must have at least one file operation"
	UnknownHeader     Kind = "this isn't the header of a file operation"
	HeaderWithoutPath Kind = "the header has no path"
	AddWithoutPlus    Kind = "a line of an added file must start with +"
	AddWithoutLines   Kind = "an added file must have at least one line"
	DeleteWithBody    Kind = "a deleted file must not have a diff"
	UpdateWithoutHunk Kind = "an updated file must have a hunk"

	InvalidJSON    Kind = "the patch isn't valid JSON"
	NotAnOperation Kind = "a file operation must be an object"
	UnknownType    Kind = "the type of a file operation must be create_file, update_file or delete_file"
	MissingPath    Kind = "a file operation must have a path"
	MissingDiff    Kind = "a file that is created or updated must have a diff"
	InvalidMoveTo  Kind = "move_to must be text"
)

func (k Kind) Error() string { return string(k) }
