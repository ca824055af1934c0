package archive

import "fmt"

// A SchemeError is an archive of a kind that can't be told, or isn't one of
// SchemeTar and SchemeZip (S6.24).
type SchemeError struct {
	Path   string // of the archive, as it was given
	Scheme string // "": none was given, and the path doesn't end in one
}

func (e *SchemeError) Error() string {
	if e.Scheme == "" {
		return fmt.Sprintf("the path %q doesn't say whether the archive is a tar or a zip", e.Path)
	}
	return fmt.Sprintf("the archive's scheme must be tar or zip, not %q", e.Scheme)
}

// Context is what is known of the error, under the names of S6.24.
func (e *SchemeError) Context() map[string]any {
	context := map[string]any{"path": e.Path}
	if e.Scheme != "" {
		context["scheme"] = e.Scheme
	}
	return context
}

// A MemberError is a member of an archive that is refused (S6.34).
type MemberError struct {
	Path   string // of the archive; for Hydrate the root
	Member string // its name in the archive
	Reason Reason
	Detail string // what the reason is about, or ""
	Err    error  // the cause, or nil
}

// ReasonText is the reason with what it is about.
func (e *MemberError) ReasonText() string {
	if e.Detail == "" {
		return string(e.Reason)
	}
	return string(e.Reason) + ": " + e.Detail
}

func (e *MemberError) Error() string {
	text := fmt.Sprintf("unsafe archive member %q: %s", e.Member, e.Reason)
	if e.Detail != "" {
		text += fmt.Sprintf(": %q", e.Detail)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *MemberError) Unwrap() error { return e.Err }

// Context is what is known of the error, under the names of S6.34.
func (e *MemberError) Context() map[string]any {
	return map[string]any{"path": e.Path, "member": e.Member, "reason": e.ReasonText()}
}

// A LimitError is an archive that has more than a limit allows.
type LimitError struct {
	Path   string // of the archive; for Hydrate the root
	Member string // at which it was exceeded; "": before there was one
	Reason Reason
	Limit  int64
	Actual int64
	Err    error // the workspace's own *workspace.LimitError, or nil
}

func (e *LimitError) Error() string {
	text := fmt.Sprintf("%s: %d instead of at most %d", e.Reason, e.Actual, e.Limit)
	if e.Member != "" {
		text += fmt.Sprintf(" with member %q", e.Member)
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

func (e *LimitError) Unwrap() error { return e.Err }

// Context is what is known of the error, under the names of S6.26 and S6.31.
func (e *LimitError) Context() map[string]any {
	context := map[string]any{"path": e.Path, "reason": string(e.Reason), "limit": e.Limit, "actual": e.Actual}
	if e.Member != "" {
		context["member"] = e.Member
	}
	return context
}

// A CorruptError is an archive that can't be read (S6.34).
type CorruptError struct {
	Path   string // of the archive; for Hydrate the root
	Member string // in which it is damaged; "": not known
	Err    error
}

func (e *CorruptError) Error() string {
	if e.Member == "" {
		return "the archive can't be read: " + e.Err.Error()
	}
	return fmt.Sprintf("the archive can't be read at member %q: %s", e.Member, e.Err.Error())
}

func (e *CorruptError) Unwrap() error { return e.Err }

// Context is what is known of the error, under the names of S6.34.
func (e *CorruptError) Context() map[string]any { return map[string]any{"path": e.Path} }
