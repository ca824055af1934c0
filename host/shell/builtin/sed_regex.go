package builtin

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"strconv"
	"strings"
)

// A sedRegex is a pattern of a script. Without a matcher it is the last one that
// was used.
type sedRegex struct{ matcher *boundedMatcher }

const errNoPattern = complaint("no previous regular expression")

// regex compiles a pattern.
func (p *sedParser) regex(pattern string, fold, multi bool) (*sedRegex, error) {
	if pattern == "" {
		return &sedRegex{}, nil
	}
	text, err := translate(sedIntervals(sedEscapes(pattern, true), p.options.extended), p.options.extended)
	if err != nil {
		return nil, p.errorf("%v", err)
	}
	flags := "(?s"
	if fold {
		flags += "i"
	}
	if multi {
		flags += "m"
	}
	matcher, err := regexp.Compile(flags + ")" + text)
	if err != nil {
		return nil, p.errorf("%s", regexText(err))
	}
	return &sedRegex{bounded(matcher, true)}, nil
}

// regex is the matcher to use for a pattern now.
func (e *sedEditor) regex(r *sedRegex) (*boundedMatcher, error) {
	if r.matcher != nil {
		e.last = r.matcher
	}
	if e.last == nil {
		return nil, errNoPattern
	}
	return e.last, nil
}

// regexText is why a pattern can't be compiled, as GNU says it.
func regexText(err error) string {
	var e *syntax.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	switch e.Code {
	case syntax.ErrMissingParen:
		return `Unmatched ( or \(`
	case syntax.ErrUnexpectedParen:
		return `Unmatched ) or \)`
	case syntax.ErrMissingBracket:
		return "unterminated address regex"
	case syntax.ErrInvalidRepeatOp, syntax.ErrMissingRepeatArgument:
		return "Invalid preceding regular expression"
	case syntax.ErrInvalidCharRange:
		return "Invalid range end"
	case syntax.ErrInvalidRepeatSize:
		return `Invalid content of \{\}`
	case syntax.ErrLarge:
		return "Regular expression too big"
	case syntax.ErrInvalidCharClass, syntax.ErrInvalidEscape, syntax.ErrInvalidNamedCapture, syntax.ErrInvalidPerlOp,
		syntax.ErrInvalidUTF8, syntax.ErrNestingDepth, syntax.ErrInternalError:
	}
	return "Invalid regular expression"
}

// sedIntervals gives {,N} the form {0,N}.
func sedIntervals(pattern string, extended bool) string {
	if extended {
		return strings.ReplaceAll(pattern, "{,", "{0,")
	}
	return strings.ReplaceAll(pattern, `\{,`, `\{0,`)
}

// sedEscapes puts characters in the place of what stands for them: \t, \x41 and
// such. In a replacement those that would mean something are quoted.
func sedEscapes(text string, pattern bool) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		b, n := sedEscape(text[i+1:])
		switch {
		case n == 0:
			out.WriteString(text[i : i+2])
			i++
			continue
		case n > 1 && !pattern && (b == '&' || b == '\\'):
			out.WriteByte('\\')
		}
		out.WriteByte(b)
		i += n
	}
	return out.String()
}

// sedEscape is the character that the text behind a backslash stands for, and how
// long that is, or 0.
func sedEscape(text string) (b byte, n int) {
	switch text[0] {
	case 'a':
		return '\a', 1
	case 'f':
		return '\f', 1
	case 'n':
		return '\n', 1
	case 'r':
		return '\r', 1
	case 't':
		return '\t', 1
	case 'v':
		return '\v', 1
	case 'c':
		if len(text) > 1 {
			return strings.ToUpper(text[1:2])[0] ^ 0x40, 2
		}
	case 'd':
		return sedNumber(text, 10, 3)
	case 'o':
		return sedNumber(text, 8, 3)
	case 'x':
		return sedNumber(text, 16, 2)
	}
	return 0, 0
}

// sedNumber reads a letter and as many digits as there are, but a few.
func sedNumber(text string, base, most int) (b byte, n int) {
	for n = min(most, len(text)-1); n > 0; n-- {
		if value, err := strconv.ParseUint(text[1:1+n], base, 16); err == nil {
			return byte(value), n + 1
		}
	}
	return 0, 0
}
