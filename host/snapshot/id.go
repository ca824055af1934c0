package snapshot

import (
	"strings"
	"unicode/utf8"
)

// maxID leaves room in a file's name for what a temporary one has around it.
const maxID = 200

// checkID refuses what can't be a file's name, on POSIX or on Windows, wherever
// this runs: snapshots move from one to the other (S6.89).
func checkID(id string) error {
	var reason string
	switch {
	case id == "":
		reason = "it is empty"
	case id == "." || id == "..":
		reason = "it means a folder"
	case len(id) > maxID:
		reason = "it is too long"
	case !utf8.ValidString(id):
		reason = "it isn't UTF-8"
	case strings.ContainsAny(id, `/\`):
		reason = "it has a slash"
	case strings.ContainsAny(id, `<>:"|?*`) || strings.ContainsFunc(id, isControl):
		reason = "it has a character that Windows has no room for"
	case isDevice(id):
		reason = "it is a device of Windows"
	default:
		return nil
	}
	return &IDError{ID: id, Reason: reason}
}

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

// isDevice reports a name that Windows takes for a device, whatever follows its
// first dot.
func isDevice(id string) bool {
	name, _, _ := strings.Cut(id, ".")
	name = strings.ToUpper(strings.TrimRight(name, " "))
	switch name {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	for _, port := range []string{"COM", "LPT"} {
		number, found := strings.CutPrefix(name, port)
		if found && utf8.RuneCountInString(number) == 1 && strings.Contains("0123456789¹²³", number) {
			return true
		}
	}
	return false
}
