package argv

import "strings"

// Join makes one line of parts that a POSIX shell parts again: each is quoted, with
// a space between two.
func Join(parts []string) string {
	quoted := make([]string, len(parts))
	for i, part := range parts {
		quoted[i] = Quote(part)
	}
	return strings.Join(quoted, " ")
}

// Quote makes of any text one word of a POSIX shell (S6.4). Text of harmless
// characters stays as it is.
func Quote(text string) string {
	if text == "" {
		return "''"
	}
	if strings.IndexFunc(text, isUnsafe) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'"'"'`) + "'"
}

func isUnsafe(r rune) bool {
	switch {
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9':
		return false
	default:
		return !strings.ContainsRune("_@%+=:,./-", r)
	}
}
