// Package printf is the printf of shells.
package printf

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Format formats arguments as printf does, again and again until none is left. It
// stops once it has made more than the limit of bytes. Complaints are what there is to be
// said about the arguments.
func Format(format string, args []string, limit int) (out []byte, complaints []string) {
	f := &formatter{args: args, max: limit}
	for {
		before := len(f.args)
		if f.format(format); f.stop || len(f.args) == 0 || len(f.args) == before || len(f.out) > limit {
			return f.out, f.complaints
		}
	}
}

// A formatter is printf at work.
type formatter struct {
	out        []byte
	args       []string
	complaints []string
	max        int
	stop       bool
}

func (f *formatter) complain(format string, a ...any) {
	f.complaints = append(f.complaints, fmt.Sprintf(format, a...))
}

func (f *formatter) next() string {
	if len(f.args) == 0 {
		return ""
	}
	arg := f.args[0]
	f.args = f.args[1:]
	return arg
}

func (f *formatter) format(format string) {
	for i := 0; i < len(format) && !f.stop && len(f.out) <= f.max; {
		switch {
		case format[i] == '\\':
			var n int
			f.out, n = escape(f.out, format[i:], false)
			i += n
		case strings.HasPrefix(format[i:], "%%"):
			f.out = append(f.out, '%')
			i += 2
		case format[i] == '%':
			i += f.directive(format[i:])
		default:
			f.out = append(f.out, format[i])
			i++
		}
	}
}

// maxWidth is the largest width and precision.
const maxWidth = 1 << 16

// directive formats what begins with a percent sign, and gives its length.
func (f *formatter) directive(s string) int {
	i := 1
	for i < len(s) && strings.IndexByte("-+ #0", s[i]) >= 0 {
		i++
	}
	flags := s[1:i]
	width, i := f.number(s, i)
	precision := -1
	if i < len(s) && s[i] == '.' {
		precision, i = f.number(s, i+1)
	}
	for i < len(s) && strings.IndexByte("hlLjzt", s[i]) >= 0 {
		i++
	}
	if width < 0 {
		flags, width = flags+"-", -width
	}
	if width > maxWidth || precision > maxWidth || i == len(s) {
		f.complain("%s: invalid format", s)
		f.stop = true
		return len(s)
	}
	f.verb(s[i], flags, width, precision)
	return i + 1
}

// number is a width or precision, which may be an argument.
func (f *formatter) number(s string, i int) (value, end int) {
	if i < len(s) && s[i] == '*' {
		n, _ := strconv.Atoi(f.next())
		return max(-maxWidth-1, min(n, maxWidth+1)), i + 1
	}
	for i < len(s) && s[i] >= '0' && s[i] <= '9' && value <= maxWidth {
		value = value*10 + int(s[i]-'0')
		i++
	}
	return value, i
}

func (f *formatter) verb(verb byte, flags string, width, precision int) {
	switch verb {
	case 's':
		f.text(f.next(), flags, width, precision)
	case 'b':
		f.text(f.escaped(f.next()), flags, width, precision)
	case 'q':
		f.text(quoteWord(f.next()), flags, width, precision)
	case 'c':
		arg := f.next()
		_, size := utf8.DecodeRuneInString(arg)
		f.text(arg[:min(size, 1, len(arg))], flags, width, -1)
	case 'd', 'i':
		f.integer("d", f.integerArg(), flags, width, precision)
	case 'u':
		f.integer("d", uint64(f.integerArg()), flags, width, precision)
	case 'o', 'x', 'X':
		f.integer(string(verb), uint64(f.integerArg()), flags, width, precision)
	case 'e', 'E', 'f', 'F', 'g', 'G':
		if precision < 0 {
			precision = 6
		}
		f.out = fmt.Appendf(f.out, "%"+flags+"*.*"+string(verb), width, precision, f.floatArg())
	default:
		f.complain("%%%c: invalid directive", verb)
		f.stop = true
	}
}

// text appends a string; width and precision are in bytes, as in C.
func (f *formatter) text(s, flags string, width, precision int) {
	if precision >= 0 && precision < len(s) {
		s = s[:precision]
	}
	room := strings.Repeat(" ", max(width-len(s), 0))
	if strings.Contains(flags, "-") {
		s += room
	} else {
		s = room + s
	}
	f.out = append(f.out, s...)
}

func (f *formatter) integer(verb string, n any, flags string, width, precision int) {
	if precision >= 0 {
		flags = strings.ReplaceAll(flags, "0", "")
		f.out = fmt.Appendf(f.out, "%"+flags+"*.*"+verb, width, precision, n)
		return
	}
	f.out = fmt.Appendf(f.out, "%"+flags+"*"+verb, width, n)
}

// integerArg is the next argument as a number: 0x1f, 017, 31 or 'a.
func (f *formatter) integerArg() int64 {
	arg := strings.TrimSpace(f.next())
	if arg == "" {
		return 0
	}
	if arg == "'" || arg == `"` {
		return 0
	}
	if arg[0] == '\'' || arg[0] == '"' {
		r, _ := utf8.DecodeRuneInString(arg[1:])
		return int64(r)
	}
	n, err := strconv.ParseInt(arg, 0, 64)
	if err == nil && !strings.Contains(arg, "_") && !strings.ContainsAny(arg, "oObB") || isHex(arg) && err == nil {
		return n
	}
	if u, err := strconv.ParseUint(arg, 0, 64); err == nil {
		return int64(u)
	}
	f.complain("%s: invalid number", arg)
	digits := len(arg) - len(strings.TrimLeft(arg, "+-0123456789"))
	n, _ = strconv.ParseInt(arg[:digits], 10, 64)
	return n
}

func isHex(s string) bool {
	s = strings.ToLower(strings.TrimLeft(s, "+-"))
	return strings.HasPrefix(s, "0x")
}

func (f *formatter) floatArg() float64 {
	arg := strings.TrimSpace(f.next())
	if arg == "" {
		return 0
	}
	n, err := strconv.ParseFloat(arg, 64)
	if err != nil {
		f.complain("%s: invalid number", arg)
	}
	return n
}

// escaped is an argument of %b. \c in it ends all output.
func (f *formatter) escaped(s string) string {
	var out []byte
	for i := 0; i < len(s); {
		if strings.HasPrefix(s[i:], `\c`) {
			f.stop = true
			break
		}
		if s[i] != '\\' {
			out = append(out, s[i])
			i++
			continue
		}
		var n int
		out, n = escape(out, s[i:], true)
		i += n
	}
	return string(out)
}
