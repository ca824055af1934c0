package archive

import "strings"

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
