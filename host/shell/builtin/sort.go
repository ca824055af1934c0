package builtin

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// A sortKey is a part of a line, and how it is compared.
type sortKey struct {
	from, fromByte, to, toByte int // numbers from 1; to 0: the end
	letters                    string
	ordering                   ordering
}

// A sorter is one sort.
type sorter struct {
	keys      []sortKey
	ordering  ordering
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
	output, letters, check, end := "", "", byte(0), byte('\n')
	for _, o := range options {
		switch o.letter {
		case 'u':
			s.unique = true
		case 's':
			s.stable = true
		case 'o':
			output = o.value
		case 'c', 'C':
			check = o.letter
		case 'z':
			end = 0
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
			letters += string(o.letter)
		}
	}
	s.ordering = orderingOf(letters)
	for i := range s.keys {
		s.keys[i].ordering = orderingOf(cmp.Or(s.keys[i].letters, letters))
	}
	if check != 0 && len(names) > 1 {
		return c.fail(2, "extra operand '%s' not allowed with -%c", names[1], check)
	}
	all, err := c.sortable(names, end)
	if c.stop() {
		return 2
	}
	if err != nil {
		return c.badUsage(2, err)
	}
	if check != 0 {
		name := "-"
		if len(names) > 0 {
			name = names[0]
		}
		return s.check(c, name, all, check == 'C')
	}
	return s.print(c, all, output)
}

// check looks whether lines are in order, and tells of the first that isn't, unless quiet.
func (s *sorter) check(c *command, name string, all *sortLines, quiet bool) int {
	for i := 1; i < len(all.index) && !c.stop(); i++ {
		before, line := all.line(i-1), all.line(i)
		if n := s.compare(before, line); n > 0 || n == 0 && s.unique {
			if !quiet {
				c.say("%s:%d: disorder: %s", name, i+1, line)
			}
			return 1
		}
	}
	return 0
}

func (s *sorter) print(c *command, all *sortLines, output string) int {
	if s.order(c, all); c.stop() {
		return 2
	}
	if output == "" {
		for line := range s.chosen(c, all) {
			c.write(line)
			c.write(all.end)
		}
		return 0
	}
	content := make([]byte, 0, len(all.text)+1)
	for line := range s.chosen(c, all) {
		content = append(append(content, line...), all.end...)
	}
	if c.stop() {
		return 2
	}
	if err := c.replaceFile(output, content); err != nil {
		return c.fail(2, "open failed: %s: %s", output, shell.ErrorText(err))
	}
	return 0
}

// chosen are the lines that are printed: with -u, the first of those that are the same.
func (s *sorter) chosen(c *command, all *sortLines) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var last []byte
		for i := range all.index {
			line := all.line(i)
			if c.worked(len(line) + 1) {
				return
			}
			if i > 0 && s.unique && s.compareKeys(last, line) == 0 {
				continue
			}
			if last = line; !yield(line) {
				return
			}
		}
	}
}

// order sorts lines. When the context ends, all that are left are the same to it.
func (s *sorter) order(c *command, all *sortLines) {
	slices.SortFunc(all.index, func(a, b sortLine) int {
		if c.worked(int(a.size) + int(b.size) + 32) {
			return 0
		}
		if n := s.compare(all.at(a), all.at(b)); n != 0 {
			return n
		}
		return cmp.Compare(a.offset, b.offset) // as they were
	})
}

// compare compares lines by their keys, and then as a whole.
func (s *sorter) compare(a, b []byte) int {
	if n := s.compareKeys(a, b); n != 0 || s.stable || s.unique {
		return n
	}
	if s.ordering.reverse {
		return bytes.Compare(b, a)
	}
	return bytes.Compare(a, b)
}

func (s *sorter) compareKeys(a, b []byte) int {
	if len(s.keys) == 0 {
		return s.ordering.compare(a, b)
	}
	for i := range s.keys {
		key := &s.keys[i]
		if n := key.ordering.compare(key.of(a, s.separator), key.of(b, s.separator)); n != 0 {
			return n
		}
	}
	return 0
}

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
		k.letters += text[end:]
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
func (k *sortKey) of(line, separator []byte) []byte {
	begin, _, ok := fieldOf(line, separator, k.from)
	if !ok {
		return nil
	}
	if k.ordering.blanks {
		for begin < len(line) && (line[begin] == ' ' || line[begin] == '\t') {
			begin++
		}
	}
	begin += k.fromByte - 1
	end := len(line)
	if start, stop, ok := fieldOf(line, separator, k.to); ok {
		end = stop
		if k.toByte > 0 {
			end = min(start+k.toByte, end)
		}
	}
	if begin >= end {
		return nil
	}
	return line[begin:end]
}

// fieldOf says where the field of a number begins and ends, if there is one. Without
// a separator the blanks before a field belong to it.
func fieldOf(line, separator []byte, number int) (start, end int, ok bool) {
	if number < 1 {
		return 0, 0, false
	}
	for ; len(separator) > 0; number-- {
		i := bytes.Index(line[start:], separator)
		if end = start + i; i < 0 {
			return start, len(line), number == 1
		}
		if number == 1 {
			return start, end, true
		}
		start = end + len(separator)
	}
	blank := func(i int) bool { return line[i] == ' ' || line[i] == '\t' }
	for ; number > 0 && end < len(line); number-- {
		start = end
		for end < len(line) && blank(end) {
			end++
		}
		for end < len(line) && !blank(end) {
			end++
		}
	}
	return start, end, number == 0
}
