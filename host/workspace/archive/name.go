package archive

import (
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// The lengths of the longest name and path that a workspace takes.
const (
	maxName = 255
	maxPath = 4095
)

// isRootName reports a name that means the folder itself (S6.29).
func isRootName(name string) bool { return name == "" || name == "." || name == "./" }

// checkName says what is unsafe about a member's name, "" if nothing is (S6.29).
func checkName(name string) Reason {
	switch {
	case hasDrive(name):
		return ReasonDrive
	case strings.Contains(name, `\`):
		return ReasonSeparator
	case strings.HasPrefix(name, "/"):
		return ReasonAbsolute
	case hasParent(name):
		return ReasonTraversal
	}
	return ""
}

// hasDrive reports what Windows takes for a drive, be it a letter or a share.
func hasDrive(name string) bool {
	if len(name) >= 2 && name[1] == ':' {
		letter := name[0] | 0x20
		return letter >= 'a' && letter <= 'z'
	}
	share, found := strings.CutPrefix(strings.ReplaceAll(name, `\`, "/"), "//")
	if !found {
		return false
	}
	server, share, found := strings.Cut(share, "/")
	return found && server != "" && !strings.HasPrefix(share, "/")
}

func hasParent(name string) bool {
	for name != "" {
		var part string
		part, name, _ = strings.Cut(name, "/")
		if part == ".." {
			return true
		}
	}
	return false
}

// relative is a member's name without empty parts and dots: "" is the folder
// itself. The name is safe.
func relative(name string) string {
	if isRelative(name) {
		return name
	}
	parts := strings.Split(name, "/")
	kept := parts[:0]
	for _, part := range parts {
		if part != "" && part != "." {
			kept = append(kept, part)
		}
	}
	return strings.Join(kept, "/")
}

// isRelative reports a name that relative leaves as it is.
func isRelative(name string) bool {
	for rest, more := name, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		if part == "" || part == "." {
			return false
		}
	}
	return true
}

// checkPath says why a workspace wouldn't take a path, nil if it would.
func checkPath(path string) error {
	switch {
	case len(path) > maxPath:
		return workspace.ENAMETOOLONG
	case strings.IndexByte(path, 0) >= 0:
		return workspace.EINVAL
	case !utf8.ValidString(path):
		return workspace.EILSEQ
	}
	for rest, more := path, true; more; {
		var part string
		part, rest, more = strings.Cut(rest, "/")
		if len(part) > maxName {
			return workspace.ENAMETOOLONG
		}
	}
	return nil
}

// below is a path below a folder, which is absolute.
func below(folder, rel string) string {
	switch {
	case rel == "":
		return folder
	case folder == "/":
		return "/" + rel
	}
	return folder + "/" + rel
}
