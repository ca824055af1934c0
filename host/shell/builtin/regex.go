package builtin

import (
	"errors"
	"regexp"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

var (
	errNoName        = workspace.ENOENT
	errBackReference = errors.New("back-references are not supported")
)

// translate turns a basic or extended regular expression into one of package
// regexp.
func translate(pattern string, extended bool) (string, error) {
	var out strings.Builder
	start := true // an asterisk is itself
	for i := 0; i < len(pattern); i++ {
		was := start
		start = false
		switch b := pattern[i]; {
		case b == '[':
			n := bracket(&out, pattern[i:])
			if n == 0 {
				return "", complaint("Unmatched [, [^, [:, [., or [=")
			}
			i += n - 1
		case b == '\\':
			i++
			if i == len(pattern) {
				return "", complaint("Trailing backslash")
			}
			if err := escaped(&out, pattern[i], extended, &start); err != nil {
				return "", err
			}
		case b == '*' && was && !extended:
			out.WriteString(`\*`)
		case strings.IndexByte("+?(){}|", b) >= 0 && !extended:
			out.WriteByte('\\')
			out.WriteByte(b)
		case b == '{' && !isInterval(pattern[i:]):
			out.WriteString(`\{`)
		case b == '^' && !extended && !was, b == '$' && !extended && !endsHere(pattern[i+1:]):
			out.WriteByte('\\')
			out.WriteByte(b)
		default:
			out.WriteByte(b)
			start = b == '^' || b == '(' || b == '|'
		}
	}
	return out.String(), nil
}

// endsHere reports whether a dollar sign before the rest is the end of a line.
func endsHere(rest string) bool {
	return rest == "" || strings.HasPrefix(rest, `\)`) || strings.HasPrefix(rest, `\|`)
}

func isInterval(s string) bool {
	end := strings.IndexByte(s, '}')
	return end > 1 && strings.Trim(s[1:end], "0123456789,") == "" && s[1] != ','
}

// escaped writes what stands for a backslash and a byte.
func escaped(out *strings.Builder, b byte, extended bool, start *bool) error {
	switch {
	case b >= '1' && b <= '9':
		return errBackReference
	case strings.IndexByte("+?(){}|", b) >= 0:
		if extended {
			out.WriteByte('\\')
		}
		out.WriteByte(b)
		*start = !extended && (b == '(' || b == '|')
	case b == '<' || b == '>':
		out.WriteString(`\b`)
	case strings.IndexByte("wWsSbB", b) >= 0:
		out.WriteByte('\\')
		out.WriteByte(b)
	case b == '`':
		out.WriteString(`\A`)
	case b == '\'':
		out.WriteString(`\z`)
	default:
		out.WriteString(regexp.QuoteMeta(string([]byte{b})))
	}
	return nil
}

// bracket writes what stands for [...], and gives its length, or 0.
func bracket(out *strings.Builder, s string) int {
	i := 1
	if i < len(s) && s[i] == '^' {
		i++
	}
	out.WriteString(s[:i])
	if i < len(s) && s[i] == ']' {
		out.WriteString(`\]`)
		i++
	}
	for i < len(s) {
		switch b := s[i]; {
		case b == ']':
			out.WriteByte(']')
			return i + 1
		case b == '[' && i+1 < len(s) && s[i+1] == ':':
			end := strings.Index(s[i:], ":]")
			if end < 0 {
				return 0
			}
			out.WriteString(s[i : i+end+2])
			i += end + 2
		case b == '\\' || b == '[':
			out.WriteByte('\\')
			out.WriteByte(b)
			i++
		default:
			out.WriteByte(b)
			i++
		}
	}
	return 0
}
