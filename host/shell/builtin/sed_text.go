package builtin

import "strings"

// insertion reads the text of a, i and c.
func (p *sedParser) insertion(cmd *sedCommand) error {
	p.skip(sedBlanks)
	if p.end() || p.peek() == '\n' {
		return p.errorf("expected \\ after `a', `c' or `i'")
	}
	escaped := false
	if p.peek() == '\\' {
		p.at++
		begin := p.at
		p.skip(sedBlanks)
		switch {
		case p.peek() == '\n':
			p.at++
		case p.end():
			return nil // nothing at all, not even a line's end
		default:
			p.at, escaped = begin, true
		}
	}
	cmd.text = p.insertedText(escaped) + "\n"
	return nil
}

// insertedText reads up to the end of a line without a backslash before it.
// Escaped says that there was one before the text.
func (p *sedParser) insertedText(escaped bool) string {
	var out strings.Builder
	for first := true; !p.end(); first = false {
		b := p.text[p.at]
		p.at++
		if b == '\n' {
			break
		}
		if b != '\\' {
			out.WriteByte(b)
			continue
		}
		if p.end() {
			break
		}
		if char, n := sedEscape(p.text[p.at:]); n > 0 && p.peek() != 'n' && (!first || !escaped) {
			out.WriteByte(char)
			p.at += n
			continue
		}
		out.WriteByte(p.text[p.at])
		p.at++
	}
	return out.String()
}

// table reads what comes after y.
func (p *sedParser) table(cmd *sedCommand) error {
	from, to, err := p.twoParts("y")
	if err != nil {
		return err
	}
	one, other := sedCharacters(from), sedCharacters(to)
	if len(one) != len(other) {
		return p.errorf("strings for `y' command are different lengths")
	}
	cmd.y = sedTable{}
	for i, r := range one {
		if _, twice := cmd.y[r]; !twice {
			cmd.y[r] = other[i]
		}
	}
	return p.endOfCommand()
}

// sedCharacters are those of a part of y.
func sedCharacters(text string) []rune {
	var out []rune
	escaped := false
	for i, r := range text {
		switch {
		case escaped:
			escaped = false
			if b, n := sedEscape(text[i:]); n == 1 {
				r = rune(b)
			} else if r != '\\' {
				out = append(out, '\\')
			}
		case r == '\\':
			escaped = true
			continue
		}
		out = append(out, r)
	}
	if escaped {
		out = append(out, '\\')
	}
	return out
}
