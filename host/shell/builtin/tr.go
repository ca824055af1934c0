package builtin

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

func tr(c *command, args []string) int {
	set, sets, err := grammar{letters: "cCdst", ordered: true, long: map[string]byte{
		"complement": 'c', "delete": 'd', "squeeze-repeats": 's', "truncate-set1": 't',
	}}.flags(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	remove, squeeze := set['d'], set['s']
	if len(sets) == 0 || len(sets) < 2 && !remove && !squeeze {
		return c.fail(1, "missing operand")
	}
	from, err := parseSet(sets[0], 0)
	if err != nil {
		return c.badUsage(1, err)
	}
	if set['c'] || set['C'] {
		from = complement(from)
	}
	var to []byte
	if len(sets) > 1 {
		if to, err = parseSet(sets[1], len(from)); err != nil {
			return c.badUsage(1, err)
		}
	}
	if err := c.transliterate(newTransliteration(from, to, remove, squeeze)); err != nil {
		return c.fail(1, "read error: %s", shell.ErrorText(err))
	}
	return 0
}

// transliterate prints the standard input as the transliteration makes it.
func (c *command) transliterate(t *transliteration) error {
	from, err := c.open("-")
	if err != nil {
		return err
	}
	buffer := make([]byte, 1<<15)
	for !c.stop() {
		n, err := from.Read(buffer)
		c.write(t.apply(buffer[:n]))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// A transliteration is what becomes of each byte.
type transliteration struct {
	table          [256]byte
	drop, squeezed [256]bool
	begun          bool
	last           byte // that was kept
}

func newTransliteration(from, to []byte, remove, squeeze bool) *transliteration {
	t := &transliteration{}
	for i := range t.table {
		t.table[i] = byte(i)
	}
	for i, b := range from {
		switch {
		case remove:
			t.drop[b] = true
		case len(to) > 0:
			t.table[b] = to[min(i, len(to)-1)]
		}
	}
	last := to
	if len(to) == 0 {
		last = from
	}
	for _, b := range last {
		t.squeezed[b] = squeeze
	}
	return t
}

// apply changes the bytes, and gives those that are left.
func (t *transliteration) apply(text []byte) []byte {
	out := text[:0]
	for _, b := range text {
		if t.drop[b] {
			continue
		}
		b = t.table[b]
		if t.squeezed[b] && t.begun && t.last == b {
			continue
		}
		t.begun, t.last = true, b
		out = append(out, b)
	}
	return out
}

func complement(set []byte) []byte {
	var rest []byte
	for b := range 256 {
		if bytes.IndexByte(set, byte(b)) < 0 {
			rest = append(rest, byte(b))
		}
	}
	return rest
}

// parseSet lists the bytes of a set of tr.
func parseSet(text string, _ int) ([]byte, error) {
	var set []byte
	for i := 0; i < len(text); {
		if strings.HasPrefix(text[i:], "[:") {
			end := strings.Index(text[i:], ":]")
			if end > 0 {
				class, ok := byteClass(text[i+2 : i+end])
				if !ok {
					return nil, fmt.Errorf("invalid character class '%s'", text[i+2:i+end])
				}
				set = append(set, class...)
				i += end + 2
				continue
			}
		}
		b, n := setByte(text[i:])
		i += n
		if i+1 < len(text) && text[i] == '-' {
			last, n := setByte(text[i+1:])
			if last < b {
				return nil, fmt.Errorf("range-endpoints of '%c-%c' are in reverse collating sequence order", b, last)
			}
			for x := int(b); x <= int(last); x++ {
				set = append(set, byte(x))
			}
			i += 1 + n
			continue
		}
		set = append(set, b)
	}
	return set, nil
}

// setByte is the byte that a set begins with, and how long it is written.
func setByte(s string) (byte, int) {
	if s[0] != '\\' || len(s) == 1 {
		return s[0], 1
	}
	if i := strings.IndexByte("abfnrtv\\", s[1]); i >= 0 {
		return "\a\b\f\n\r\t\v\\"[i], 2
	}
	n := 1
	for n < len(s) && n < 4 && s[n] >= '0' && s[n] <= '7' {
		n++
	}
	if n == 1 {
		return s[1], 2
	}
	value, _ := strconv.ParseUint(s[1:n], 8, 16)
	return byte(value), n
}

func byteClass(name string) ([]byte, bool) {
	letter := func(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
	digit := func(b byte) bool { return b >= '0' && b <= '9' }
	graph := func(b byte) bool { return b > ' ' && b < 0x7f }
	classes := map[string]func(b byte) bool{
		"alpha": letter, "digit": digit, "graph": graph,
		"alnum":  func(b byte) bool { return letter(b) || digit(b) },
		"upper":  func(b byte) bool { return b >= 'A' && b <= 'Z' },
		"lower":  func(b byte) bool { return b >= 'a' && b <= 'z' },
		"space":  func(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' },
		"blank":  func(b byte) bool { return b == ' ' || b == '\t' },
		"punct":  func(b byte) bool { return graph(b) && !letter(b) && !digit(b) },
		"print":  func(b byte) bool { return graph(b) || b == ' ' },
		"cntrl":  func(b byte) bool { return b < ' ' || b == 0x7f },
		"xdigit": func(b byte) bool { return digit(b) || b|0x20 >= 'a' && b|0x20 <= 'f' },
	}
	in, ok := classes[name]
	if !ok {
		return nil, false
	}
	var set []byte
	for b := range 256 {
		if in(byte(b)) {
			set = append(set, byte(b))
		}
	}
	return set, true
}
