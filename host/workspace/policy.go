package workspace

import (
	"path"
	"strings"
)

// DefaultRoot is where the workspace is when nothing else is said.
const DefaultRoot = "/workspace"

// A Grant lets paths outside of the root be used (S6.66, S6.67).
type Grant struct {
	Path     string // absolute, not "/"
	ReadOnly bool
}

// A Policy says which paths may be used. It looks at paths only, not at what is
// there (S6.70): a [Tree] looks at where symlinks lead as well. NewPolicy makes one;
// the zero value has DefaultRoot, and no grants.
type Policy struct {
	root   string
	grants []Grant
}

// NewPolicy checks and normalises the root and the grants (S6.64, S6.71). The root
// "" is DefaultRoot. The error is a *[PolicyError].
func NewPolicy(root string, grants ...Grant) (Policy, error) {
	if root == "" {
		root = DefaultRoot
	}
	clean, err := absolute(root, false)
	if err != nil {
		return Policy{}, err
	}
	p := Policy{root: clean}
	for _, g := range grants {
		if g.Path, err = absolute(g.Path, true); err != nil {
			return Policy{}, err
		}
		if g.Path == "/" {
			return Policy{}, &PolicyError{Path: g.Path, Grant: true}
		}
		p.grants = append(p.grants, g)
	}
	return p, nil
}

func absolute(name string, grant bool) (string, error) {
	posix := slashed(name)
	if !strings.HasPrefix(posix, "/") || hasTwoSlashes(posix) {
		return "", &PolicyError{Path: name, Grant: grant}
	}
	if err := ValidatePath(posix); err != nil {
		return "", &PolicyError{Path: name, Grant: grant, Err: err}
	}
	return path.Clean(posix), nil
}

// Root is the absolute path of the workspace.
func (p Policy) Root() string {
	if p.root == "" {
		return DefaultRoot
	}
	return p.root
}

// Grants are the paths outside of the root that may be used. The caller owns the
// slice.
func (p Policy) Grants() []Grant { return append([]Grant(nil), p.grants...) }

// Normalize gives the absolute path that a path means: a relative one is taken
// from the root, and one that leaves it, or an absolute one that is neither below
// the root nor below a grant, is an *EscapeError (S6.64 to S6.68).
func (p Policy) Normalize(name string) (string, error) {
	posix := slashed(name)
	switch {
	case IsWindowsAbsolute(posix), hasTwoSlashes(posix):
		return "", &EscapeError{Path: posix, Reason: ReasonAbsolute}
	case strings.HasPrefix(posix, "/"):
		clean := path.Clean(posix)
		if _, granted := p.GrantOf(clean); granted || IsBelow(clean, p.Root()) {
			return clean, nil
		}
		return "", &EscapeError{Path: name, Reason: ReasonAbsolute}
	default:
		if clean := path.Join(p.Root(), posix); IsBelow(clean, p.Root()) {
			return clean, nil
		}
		return "", &EscapeError{Path: name, Reason: ReasonEscapeRoot}
	}
}

// NormalizeForWrite is Normalize for a path that is to be changed: below a grant
// that is for reading only it is a *ReadOnlyError (S6.67).
func (p Policy) NormalizeForWrite(name string) (string, error) {
	clean, err := p.Normalize(name)
	if err != nil {
		return "", err
	}
	if g, granted := p.GrantOf(clean); granted && g.ReadOnly {
		return "", &ReadOnlyError{Path: name, Grant: g.Path}
	}
	return clean, nil
}

// Relative gives a path as seen from the root, "." for the root itself; other
// paths than those below the root are an *EscapeError (S6.69).
func (p Policy) Relative(name string) (string, error) {
	clean, err := p.Normalize(name)
	switch {
	case err != nil:
		return "", err
	case clean == p.Root():
		return ".", nil
	case !IsBelow(clean, p.Root()):
		return "", &EscapeError{Path: name, Reason: ReasonAbsolute}
	case p.Root() == "/":
		return clean[1:], nil
	default:
		return clean[len(p.Root())+1:], nil
	}
}

// GrantOf finds the longest grant that a clean absolute path is below. What is below
// the root needs none.
func (p Policy) GrantOf(clean string) (best Grant, found bool) {
	if IsBelow(clean, p.Root()) {
		return Grant{}, false
	}
	for _, g := range p.grants {
		if IsBelow(clean, g.Path) && len(g.Path) > len(best.Path) {
			best, found = g, true
		}
	}
	return best, found
}

func slashed(name string) string { return strings.ReplaceAll(name, `\`, "/") }

// hasTwoSlashes reports a path that begins with exactly two slashes, which POSIX
// keeps apart (S6.68).
func hasTwoSlashes(posix string) bool {
	return strings.HasPrefix(posix, "//") && !strings.HasPrefix(posix, "///")
}

// IsWindowsAbsolute reports a path from a drive's root, such as C:/x. C:x isn't
// one: on POSIX it is a file's name.
func IsWindowsAbsolute(posix string) bool {
	return len(posix) >= 3 && posix[1] == ':' && posix[2] == '/' && (posix[0]|0x20 >= 'a' && posix[0]|0x20 <= 'z')
}

// IsBelow reports whether a clean path is the root or below it.
func IsBelow(clean, root string) bool {
	return clean == root || root == "/" || strings.HasPrefix(clean, root+"/")
}
