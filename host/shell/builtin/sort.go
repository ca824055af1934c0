package builtin

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// A sortKey is a part of a line, and how it is compared.
type sortKey struct {
	from, fromByte, to, toByte int // numbers from 1; to 0: the end
	how                        string
}

// A sorter is one sort.
type sorter struct {
	keys      []sortKey
	how       string // of the letters n, r, f, b, h, V, g, d
	separator []byte
	unique    bool
	stable    bool
}

const orderLetters = "bdfghinrV"

func sort(c *command, args []string) int {
	options, names, err := grammar{
		letters: "bdfghinrVuszk:t:o:cCmS:T:",
		long: map[string]byte{
			"numeric-sort": 'n', "reverse": 'r', "unique": 'u', "key": 'k', "field-separator": 't', "output": 'o',
			"ignore-case": 'f', "stable": 's', "check": 'c', "human-numeric-sort": 'h', "version-sort": 'V',
			"zero-terminated": 'z', "ignore-leading-blanks": 'b', "general-numeric-sort": 'g',
		},
	}.parse(args)
	if err != nil {
		return c.badUsage(2, err)
	}
	s := sorter{}
	output, check, end := "", false, "\n"
	for _, o := range options {
		switch o.letter {
		case 'u':
			s.unique = true
		case 's':
			s.stable = true
		case 'o':
			output = o.value
		case 'c', 'C':
			check = true
		case 'z':
			end = "\x00"
		case 't':
			if s.separator = []byte(o.value); o.value == `\0` {
				s.separator = []byte{0}
			}
		case 'k':
			key, err := parseKey(o.value)
			if err != nil {
				return c.badUsage(2, err)
			}
			s.keys = append(s.keys, key)
		default:
			s.how += string(o.letter)
		}
	}
	var all [][]byte
	c.each(2, names, func(_ string, content []byte) {
		if len(content) > 0 {
			all = append(all, bytes.Split(bytes.TrimSuffix(content, []byte(end)), []byte(end))...)
		}
	})
	if check {
		return s.check(c, all)
	}
	return s.print(c, all, end, output)
}

func (s *sorter) check(c *command, all [][]byte) int {
	for i := 1; i < len(all); i++ {
		if n := s.compare(all[i-1], all[i]); n > 0 || n == 0 && s.unique {
			return c.fail(1, "-:%d: disorder: %s", i+1, all[i])
		}
	}
	return 0
}

func (s *sorter) print(c *command, all [][]byte, end, output string) int {
	s.order(c, all)
	if c.stop() {
		return 2
	}
	if s.unique {
		all = slices.CompactFunc(all, func(a, b []byte) bool { return s.compareKeys(a, b) == 0 })
	}
	if output == "" {
		for _, line := range all {
			c.write(line)
			c.print(end)
		}
		return 0
	}
	content := bytes.Join(all, []byte(end))
	if len(all) > 0 {
		content = append(content, end...)
	}
	if err := c.writeFile(output, content, false); err != nil {
		return c.fail(2, "open failed: %s: %s", output, shell.ErrorText(err))
	}
	return 0
}

// order sorts lines. When the context ends, all that are left are the same to it.
func (s *sorter) order(c *command, all [][]byte) {
	const perLook = 1024
	compared, ended := 0, false
	slices.SortStableFunc(all, func(a, b []byte) int {
		if compared++; compared%perLook == 0 {
			ended = ended || c.Err() != nil
		}
		if ended {
			return 0
		}
		return s.compare(a, b)
	})
}

// compare compares lines by their keys, and then as a whole.
func (s *sorter) compare(a, b []byte) int {
	if n := s.compareKeys(a, b); n != 0 || s.stable || s.unique {
		return n
	}
	if strings.Contains(s.how, "r") {
		return bytes.Compare(b, a)
	}
	return bytes.Compare(a, b)
}

func (s *sorter) compareKeys(a, b []byte) int {
	if len(s.keys) == 0 {
		return compareAs(a, b, s.how)
	}
	for _, key := range s.keys {
		how := key.how
		if how == "" {
			how = s.how
		}
		if n := compareAs(key.of(a, s.separator, how), key.of(b, s.separator, how), how); n != 0 {
			return n
		}
	}
	return 0
}

func compareAs(a, b []byte, how string) int {
	if strings.Contains(how, "r") {
		a, b = b, a
	}
	if strings.Contains(how, "b") {
		a, b = bytes.TrimLeft(a, " \t"), bytes.TrimLeft(b, " \t")
	}
	switch {
	case strings.Contains(how, "n"), strings.Contains(how, "g"):
		return cmp.Compare(number(a), number(b))
	case strings.Contains(how, "h"):
		return cmp.Compare(humanNumber(a), humanNumber(b))
	case strings.Contains(how, "V"):
		return compareVersions(string(a), string(b))
	}
	if strings.Contains(how, "f") {
		a, b = bytes.ToUpper(a), bytes.ToUpper(b)
	}
	if strings.Contains(how, "d") {
		a, b = dictionary(a), dictionary(b)
	}
	return bytes.Compare(a, b)
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
	text = bytes.TrimLeft(text, " \t")
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

// maxPosition is beyond the end of any line.
const maxPosition = 1 << 30

// parseKey reads F[.C][letters][,F[.C][letters]].
func parseKey(text string) (sortKey, error) {
	from, to, hasTo := strings.Cut(text, ",")
	k := sortKey{fromByte: 1}
	var err error
	if k.from, k.fromByte, err = k.position(from, 1); err != nil || k.from == 0 {
		return k, fmt.Errorf("invalid field specification '%s'", text)
	}
	if hasTo {
		if k.to, k.toByte, err = k.position(to, 0); err != nil {
			return k, fmt.Errorf("invalid field specification '%s'", text)
		}
	}
	return k, nil
}

func (k *sortKey) position(text string, first int) (field, at int, err error) {
	end := strings.IndexAny(text, orderLetters)
	if end >= 0 {
		k.how += text[end:]
		text = text[:end]
	}
	number, char, hasChar := strings.Cut(text, ".")
	if field, err = strconv.Atoi(number); err != nil {
		return 0, 0, err
	}
	at = first
	if hasChar {
		at, err = strconv.Atoi(char)
	}
	if field < 0 || at < 0 {
		err = strconv.ErrRange
	}
	return min(field, maxPosition), min(at, maxPosition), err
}

// of is the part of a line that the key says.
func (k sortKey) of(line, separator []byte, how string) []byte {
	starts, ends := fieldsOf(line, separator)
	if k.from > len(starts) {
		return nil
	}
	begin := starts[k.from-1]
	if strings.Contains(how, "b") {
		for begin < len(line) && (line[begin] == ' ' || line[begin] == '\t') {
			begin++
		}
	}
	begin += k.fromByte - 1
	end := len(line)
	if k.to > 0 && k.to <= len(starts) {
		end = ends[k.to-1]
		if k.toByte > 0 {
			end = min(starts[k.to-1]+k.toByte, end)
		}
	}
	if begin >= end {
		return nil
	}
	return line[begin:end]
}

// fieldsOf says where fields begin and end. Without a separator the blanks before
// a field belong to it.
func fieldsOf(line, separator []byte) (starts, ends []int) {
	if len(separator) > 0 {
		at := 0
		for {
			i := bytes.Index(line[at:], separator)
			starts = append(starts, at)
			if i < 0 {
				return starts, append(ends, len(line))
			}
			ends = append(ends, at+i)
			at += i + len(separator)
		}
	}
	blank := func(i int) bool { return line[i] == ' ' || line[i] == '\t' }
	for at := 0; at < len(line); {
		starts = append(starts, at)
		for at < len(line) && blank(at) {
			at++
		}
		for at < len(line) && !blank(at) {
			at++
		}
		ends = append(ends, at)
	}
	return starts, ends
}
