package builtin

import (
	"bytes"
	"cmp"
	"strconv"
	"strings"
)

// An ordering is how texts are compared.
type ordering struct {
	reverse, blanks, numeric, human, version, fold, dictionary bool
}

// orderingOf reads the letters n, r, f, b, h, V, g and d.
func orderingOf(letters string) (o ordering) {
	for _, letter := range letters {
		switch letter {
		case 'r':
			o.reverse = true
		case 'b':
			o.blanks = true
		case 'n', 'g':
			o.numeric = true
		case 'h':
			o.human = true
		case 'V':
			o.version = true
		case 'f':
			o.fold = true
		case 'd':
			o.dictionary = true
		}
	}
	return o
}

func (o ordering) compare(a, b []byte) int {
	if o.reverse {
		a, b = b, a
	}
	if o.blanks {
		a, b = trimBlanks(a), trimBlanks(b)
	}
	switch {
	case o.numeric:
		return cmp.Compare(number(a), number(b))
	case o.human:
		return cmp.Compare(humanNumber(a), humanNumber(b))
	case o.version:
		return compareVersions(string(a), string(b))
	}
	if o.fold {
		a, b = bytes.ToUpper(a), bytes.ToUpper(b)
	}
	if o.dictionary {
		a, b = dictionary(a), dictionary(b)
	}
	return bytes.Compare(a, b)
}

func trimBlanks(text []byte) []byte {
	for len(text) > 0 && (text[0] == ' ' || text[0] == '\t') {
		text = text[1:]
	}
	return text
}

func dictionary(text []byte) []byte {
	return bytes.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return r
		}
		return -1
	}, text)
}

// number is what a text begins with, or 0.
func number(text []byte) float64 {
	n, _ := leadingNumber(text)
	return n
}

func leadingNumber(text []byte) (float64, []byte) {
	text = trimBlanks(text)
	end, dot := 0, false
	for end < len(text) {
		b := text[end]
		if b >= '0' && b <= '9' || b == '-' && end == 0 || b == '.' && !dot {
			dot = dot || b == '.'
			end++
			continue
		}
		break
	}
	n, _ := strconv.ParseFloat(string(text[:end]), 64)
	return n, text[end:]
}

func humanNumber(text []byte) float64 {
	n, rest := leadingNumber(text)
	if len(rest) > 0 {
		if i := strings.IndexByte("KMGTPE", rest[0]&^0x20); i >= 0 {
			for range i + 1 {
				n *= 1024
			}
		}
	}
	return n
}

// compareVersions compares numbers in texts as numbers.
func compareVersions(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			x, y := strings.TrimLeft(a[:na], "0"), strings.TrimLeft(b[:nb], "0")
			if n := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); n != 0 {
				return n
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

func digits(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
