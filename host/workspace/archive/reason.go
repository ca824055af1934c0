package archive

// A Reason is why a member of an archive is refused, in the words of the original.
type Reason string

// What a member is that is refused (S6.29).
const (
	ReasonRootSymlink      Reason = "archive root symlink"
	ReasonRootHardlink     Reason = "archive root hardlink"
	ReasonRootNotDirectory Reason = "archive root member must be directory"
	ReasonDrive            Reason = "windows drive path"
	ReasonSeparator        Reason = "windows path separator"
	ReasonAbsolute         Reason = "absolute path"
	ReasonTraversal        Reason = "parent traversal"
	ReasonSymlink          Reason = "symlink member not allowed"
	ReasonHardlink         Reason = "hardlink member not allowed"
	ReasonType             Reason = "unsupported member type"
	ReasonZipLink          Reason = "link member not allowed"
)

// What the members of an archive are to each other, or to what is there already
// (S6.30, S6.32, S6.86). The error's Detail is a path.
const (
	ReasonDuplicate     Reason = "duplicate archive path"
	ReasonBelowFile     Reason = "archive path descends through non-directory"
	ReasonBelowSymlink  Reason = "archive path descends through symlink"
	ReasonSymlinkParent Reason = "symlink in parent path"
	ReasonOntoDirectory Reason = "destination directory already exists"
)

// Where a symlink leads (S6.86). The error's Detail is its target.
const (
	ReasonAbsoluteTarget Reason = "absolute symlink target not allowed"
	ReasonTargetEscapes  Reason = "symlink target escapes archive root"
)

// Limits that are exceeded (S6.26, S6.31). The last one isn't of the original: it
// is for streams that grow and grow without a member in them.
const (
	ReasonInputBytes     Reason = "archive input size exceeds limit"
	ReasonMembers        Reason = "archive member count exceeds limit"
	ReasonExtractedBytes Reason = "archive extracted size exceeds limit"
	ReasonStreamBytes    Reason = "archive stream size exceeds limit"
)

// Reasons that the original hasn't got a word for.
const (
	ReasonName      Reason = "member name not allowed"          // NUL, not UTF-8, too long
	ReasonEncrypted Reason = "encrypted member not supported"   // zip
	ReasonMethod    Reason = "compression method not supported" // zip
	ReasonWrite     Reason = "member can't be written"
	ReasonWorkspace Reason = "workspace limit exceeded"
)
