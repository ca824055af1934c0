package builtin

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A sedSubstitution is what the command s is to do.
type sedSubstitution struct {
	regex  *sedRegex
	with   []sedPart
	global bool
	number int // of the first match that is replaced
	print  int
	file   string // "": none
}

// A sedPart is a part of a replacement: a text, a group, or a change of case.
type sedPart struct {
	text  string
	group int  // -1: none
	fold  byte // U, L, u, l, E or 0
}

// substitution reads what comes after s.
func (p *sedParser) substitution(cmd *sedCommand) error {
	pattern, with, err := p.twoParts("s")
	if err != nil {
		return err
	}
	s := &sedSubstitution{number: 1, with: sedReplacement(with)}
	fold, multi, err := p.substitutionFlags(s)
	if err != nil {
		return err
	}
	if s.regex, err = p.regex(pattern, fold, multi); err != nil {
		return err
	}
	for _, part := range s.with {
		if m := s.regex.matcher; m != nil && part.group > m.NumSubexp() {
			return p.errorf("invalid reference \\%d on `s' command's RHS", part.group)
		}
	}
	cmd.s = s
	return nil
}

// twoParts reads /one/other/.
func (p *sedParser) twoParts(name string) (one, other string, err error) {
	unterminated := func() error { return p.errorf("unterminated `%s' command", name) }
	if p.end() || p.peek() == '\n' || p.peek() == '\\' {
		return "", "", unterminated()
	}
	delimiter := p.peek()
	p.at++
	one, ok := p.delimited(delimiter, name == "s")
	if !ok {
		return "", "", unterminated()
	}
	if other, ok = p.delimited(delimiter, false); !ok {
		return "", "", unterminated()
	}
	return one, other, nil
}

func (p *sedParser) substitutionFlags(s *sedSubstitution) (fold, multi bool, err error) {
	numbered := false
	for !p.end() {
		b := p.text[p.at]
		switch {
		case b >= '0' && b <= '9':
			if numbered {
				return false, false, p.errorAt(p.at+1, "multiple number options to `s' command")
			}
			numbered = true
			if s.number, err = p.number(); err == nil && s.number == 0 {
				err = p.errorf("number option to `s' command may not be zero")
			}
			if err != nil {
				return false, false, err
			}
			continue
		case b == 'w':
			p.at++
			file := sedCommand{}
			err = p.fileName(&file)
			s.file = file.text
			return fold, multi, err
		case b == 'g' && s.global, b == 'p' && s.print > 0:
			return false, false, p.errorAt(p.at+1, "multiple `%c' options to `s' command", b)
		case b == 'g':
			s.global = true
		case b == 'p':
			s.print++
		case b == 'i' || b == 'I':
			fold = true
		case b == 'm' || b == 'M':
			multi = true
		case b == 'e':
			return false, false, p.errorAt(p.at+1, "the `e' option to the `s' command is not supported")
		case strings.IndexByte(sedBlanks+"\n;}#", b) >= 0:
			return fold, multi, p.endOfCommand()
		default:
			return false, false, p.errorAt(p.at+1, "unknown option to `s'")
		}
		p.at++
	}
	return fold, multi, nil
}

// sedReplacement takes a replacement apart.
func sedReplacement(text string) []sedPart {
	text = sedEscapes(text, false)
	var parts []sedPart
	var literal []byte
	add := func(part sedPart) {
		if len(literal) > 0 {
			parts = append(parts, sedPart{text: string(literal), group: -1})
			literal = nil
		}
		parts = append(parts, part)
	}
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '&':
			add(sedPart{group: 0})
		case b != '\\' || i+1 == len(text):
			literal = append(literal, b)
		default:
			i++
			switch next := text[i]; {
			case next >= '0' && next <= '9':
				add(sedPart{group: int(next - '0')})
			case strings.IndexByte("ULulE", next) >= 0:
				add(sedPart{group: -1, fold: next})
			default:
				literal = append(literal, next)
			}
		}
	}
	if len(literal) > 0 {
		parts = append(parts, sedPart{text: string(literal), group: -1})
	}
	return parts
}

// maxSedSpace is how large the pattern space and the hold space may become.
const maxSedSpace = 64 << 20

const errSedMemory = complaint("memory exhausted")

// substitute does what a command s says, and reports whether it replaced anything.
func (e *sedEditor) substitute(s *sedSubstitution) (bool, error) {
	regex, err := e.regex(s.regex)
	if err != nil {
		return false, err
	}
	text := e.space.text
	var w sedWriter
	count, at := 0, 0
	err = regex.each(e.c, text, func(match []int) bool {
		if count++; count < s.number {
			return true
		}
		w.out = append(w.out, text[at:match[0]]...)
		w.replace(s.with, text, match)
		at = match[1]
		return s.global && len(w.out) <= maxSedSpace && !e.c.stop()
	})
	switch {
	case err != nil:
		return false, err
	case count < s.number || e.c.stop():
		return false, nil
	case len(w.out) > maxSedSpace:
		return false, errSedMemory
	}
	e.space.text = append(w.out, text[at:]...)
	return true, nil
}

// A sedWriter writes replacements.
type sedWriter struct {
	out        []byte
	mode, once byte // U or L, u or l; 0: as it is
}

func (w *sedWriter) replace(parts []sedPart, text []byte, match []int) {
	w.mode, w.once = 0, 0
	for _, part := range parts {
		switch {
		case part.fold == 'u' || part.fold == 'l':
			w.once = part.fold
		case part.fold != 0:
			w.mode, w.once = part.fold, 0
		case part.group < 0:
			w.write([]byte(part.text))
		case 2*part.group+1 < len(match) && match[2*part.group] >= 0:
			w.write(text[match[2*part.group]:match[2*part.group+1]])
		}
	}
}

func (w *sedWriter) write(text []byte) {
	if w.once != 0 && len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError:
			w.out = append(w.out, text[:n]...)
		case w.once == 'u':
			w.out = utf8.AppendRune(w.out, unicode.ToUpper(r))
		default:
			w.out = utf8.AppendRune(w.out, unicode.ToLower(r))
		}
		w.once, text = 0, text[n:]
	}
	switch w.mode {
	case 'U':
		text = bytes.ToUpper(text)
	case 'L':
		text = bytes.ToLower(text)
	}
	w.out = append(w.out, text...)
}
