package printf

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

var escapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'e': 0x1b, 'E': 0x1b, 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v',
	'\\': '\\', '\'': '\'', '"': '"', '?': '?',
}

// escape appends what an escape sequence at the start of s means, and gives its
// length. Octal numbers may begin with a 0 that isn't one of their digits.
func escape(out []byte, s string, zero bool) ([]byte, int) {
	if len(s) < 2 {
		return append(out, s...), len(s)
	}
	if b, ok := escapes[s[1]]; ok {
		return append(out, b), 2
	}
	switch {
	case s[1] >= '0' && s[1] <= '7':
		start := 1
		if zero && s[1] == '0' {
			start = 2
		}
		n := digits(s[start:], "01234567", 3)
		value, _ := strconv.ParseUint("0"+s[start:start+n], 8, 16)
		return append(out, byte(value)), start + n
	case s[1] == 'x':
		if n := digits(s[2:], hex, 2); n > 0 {
			value, _ := strconv.ParseUint(s[2:2+n], 16, 8)
			return append(out, byte(value)), 2 + n
		}
	case s[1] == 'u' || s[1] == 'U':
		most := 4
		if s[1] == 'U' {
			most = 8
		}
		if n := digits(s[2:], hex, most); n > 0 {
			value, _ := strconv.ParseUint(s[2:2+n], 16, 32)
			return utf8.AppendRune(out, rune(value)), 2 + n
		}
	}
	return append(out, s[:2]...), 2
}

const hex = "0123456789abcdefABCDEF"

// digits is how many of the first bytes are among those given.
func digits(s, of string, most int) int {
	n := 0
	for n < len(s) && n < most && strings.IndexByte(of, s[n]) >= 0 {
		n++
	}
	return n
}

// quoteWord quotes a string as %q does.
func quoteWord(s string) string {
	if s == "" {
		return "''"
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "$'" + strings.NewReplacer("\n", `\n`, "\t", `\t`, `\`, `\\`, "'", `\'`).Replace(s) + "'"
	}
	var out strings.Builder
	for _, r := range s {
		if strings.ContainsRune(" !\"$&'()*,;<>?[\\]^`{|}#~", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}
