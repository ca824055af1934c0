package builtin

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A span is numbers from 1; the end 0 is that of the line.
type span struct{ from, to int }

func parseSpans(list string) ([]span, error) {
	var spans []span
	for part := range strings.SplitSeq(strings.ReplaceAll(list, " ", ","), ",") {
		from, to, isRange := strings.Cut(part, "-")
		s := span{from: 1}
		var err1, err2 error
		if from != "" {
			s.from, err1 = strconv.Atoi(from)
		}
		switch {
		case !isRange:
			s.to = s.from
		case to != "":
			s.to, err2 = strconv.Atoi(to)
		}
		if part == "" || part == "-" || err1 != nil || err2 != nil || s.from < 1 || isRange && to != "" && s.to < s.from {
			return nil, fmt.Errorf("invalid field range '%s'", part)
		}
		spans = append(spans, s)
	}
	return spans, nil
}

func selected(spans []span, number int) bool {
	for _, s := range spans {
		if number >= s.from && (number <= s.to || s.to == 0) {
			return true
		}
	}
	return false
}

// A cutter is one cut.
type cutter struct {
	spans             []span
	delimiter, output string
	kind              byte // b, c or f
	only, complement  bool
}

func cut(c *command, args []string) int {
	options, names, err := grammar{letters: "b:c:f:d:sn\x01:\x02", long: map[string]byte{
		"bytes": 'b', "characters": 'c', "fields": 'f', "delimiter": 'd', "only-delimited": 's',
		"output-delimiter": 1, "complement": 2,
	}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	k := cutter{delimiter: "\t"}
	given := false
	for _, o := range options {
		switch o.letter {
		case 'b', 'c', 'f':
			k.kind = o.letter
			if k.spans, err = parseSpans(o.value); err != nil {
				return c.badUsage(1, err)
			}
		case 'd':
			k.delimiter = o.value
		case 's':
			k.only = true
		case 1:
			k.output, given = o.value, true
		case 2:
			k.complement = true
		}
	}
	if k.kind == 0 {
		return c.fail(1, "you must specify a list of bytes, characters, or fields")
	}
	if len(k.delimiter) != 1 {
		return c.fail(1, "the delimiter must be a single character")
	}
	if !given && k.kind == 'f' {
		k.output = k.delimiter
	}
	c.each(1, names, func(_ string, content []byte) {
		for line := range c.lines(content) {
			k.print(c, line)
		}
	})
	return 0
}

// print prints what is left of a line.
func (k *cutter) print(c *command, line []byte) {
	switch {
	case k.kind != 'f':
		for i := range line {
			if c.worked(len(k.spans)) {
				return
			}
			if selected(k.spans, i+1) != k.complement {
				c.write(line[i : i+1])
			}
		}
	case bytes.IndexByte(line, k.delimiter[0]) >= 0:
		k.fields(c, line)
	case k.only:
		return
	default:
		c.write(line)
	}
	c.print("\n")
}

func (k *cutter) fields(c *command, line []byte) {
	number, printed := 0, false
	for field := range bytes.SplitSeq(line, []byte(k.delimiter)) {
		number++
		if c.worked(len(field) + len(k.spans)) {
			return
		}
		if selected(k.spans, number) == k.complement {
			continue
		}
		if printed {
			c.print(k.output)
		}
		printed = true
		c.write(field)
	}
}
