package shell

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/wasmsandbox/wasmsandbox/host/argv"
	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/printf"
)

// A reading is what read is asked to do.
type reading struct {
	raw, array bool
	delimiter  byte
	count      int  // of bytes; 0: until the delimiter
	exact      bool // the delimiter doesn't end it
	prompt     string
	names      []string
}

// callRead reads a line, and assigns it by a script that is called in its place.
func (s *session) callRead(ctx context.Context, args []string) ([]string, error) {
	rd, err := parseRead(args[1:])
	if err != nil {
		return s.complain(ctx, 2, "read: %v", err)
	}
	hc := interp.HandlerCtx(ctx)
	if rd.prompt != "" && s.terminal {
		fmt.Fprint(hc.Stderr, rd.prompt)
	}
	line, ended, err := s.readLine(hc, rd)
	if err != nil {
		return nil, err
	}
	text := rd.assign(&expand.Config{Env: hc.Env}, line)
	if ended {
		text += "\n:exit 1"
	}
	return []string{"eval", text}, nil
}

func parseRead(args []string) (reading, error) {
	rd := reading{delimiter: '\n'}
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		for i := 1; i < len(option); i++ {
			if !strings.ContainsRune("dnNptu", rune(option[i])) {
				if err := rd.flag(option[i]); err != nil {
					return rd, err
				}
				continue
			}
			value := option[i+1:]
			if value == "" && len(args) > 0 {
				value, args = args[0], args[1:]
			}
			if err := rd.option(option[i], value); err != nil {
				return rd, err
			}
			break
		}
	}
	rd.names = args
	for _, name := range args {
		if !syntax.ValidName(name) {
			return rd, fmt.Errorf("'%s': not a valid identifier", name)
		}
	}
	return rd, nil
}

func (rd *reading) flag(option byte) error {
	switch option {
	case 'r':
		rd.raw = true
	case 'a':
		rd.array = true
	case 's', 'e': // there is nothing to be seen
	default:
		return fmt.Errorf("-%c: invalid option", option)
	}
	return nil
}

func (rd *reading) option(option byte, value string) error {
	switch option {
	case 'd':
		rd.delimiter = 0
		if value != "" {
			rd.delimiter = value[0]
		}
	case 'n', 'N':
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return fmt.Errorf("%s: invalid number", value)
		}
		rd.count, rd.exact = n, option == 'N'
	case 'p':
		rd.prompt = value
	case 'u':
		if value != "0" {
			return fmt.Errorf("-u %s: not supported", value)
		}
	}
	return nil // no time passes while it waits
}

// readLine reads up to a delimiter. It says whether the input ended before one.
func (s *session) readLine(hc interp.HandlerContext, rd reading) (line []byte, ended bool, err error) {
	in := s.input(hc)
	if in.file == nil {
		return nil, true, nil
	}
	var one [1]byte
	escaped := false
	for taken := 0; rd.count == 0 || taken < rd.count; {
		n, err := in.Read(one[:])
		if n == 0 {
			if err != nil && err != io.EOF {
				return nil, true, s.run.failure()
			}
			return line, true, nil
		}
		b := one[0]
		switch {
		case b == '\n' && escaped && !rd.raw:
			line, escaped = line[:len(line)-1], false // goes on in the next line
			continue
		case b == rd.delimiter && !rd.exact && !escaped:
			return line, false, nil
		case b == 0: // can't be in a variable
			continue
		}
		escaped = b == '\\' && !escaped && !rd.raw
		line = append(line, b)
		taken++
		if len(line) > s.run.limits.Variable {
			return nil, true, s.run.exceeded("variable", int64(s.run.limits.Variable))
		}
	}
	return line, false, nil
}

// assign makes a script of what was read.
func (rd *reading) assign(cfg *expand.Config, line []byte) string {
	var text strings.Builder
	switch {
	case rd.array:
		name := "REPLY"
		if len(rd.names) > 0 {
			name = rd.names[0]
		}
		text.WriteString(name + "=(")
		for _, field := range expand.ReadFields(cfg, string(line), -1, rd.raw) {
			text.WriteString(argv.Quote(field) + " ")
		}
		text.WriteString(")")
	case len(rd.names) == 0:
		text.WriteString("REPLY=" + argv.Quote(unescaped(string(line), rd.raw)))
	case rd.exact:
		text.WriteString(rd.names[0] + "=" + argv.Quote(string(line)))
	default:
		fields := expand.ReadFields(cfg, string(line), len(rd.names), rd.raw)
		for i, name := range rd.names {
			value := ""
			if i < len(fields) {
				value = fields[i]
			}
			text.WriteString(name + "=" + argv.Quote(value) + " ")
		}
	}
	return text.String()
}

// unescaped leaves out the backslashes that quote something.
func unescaped(line string, raw bool) string {
	if raw {
		return line
	}
	var out strings.Builder
	for i := 0; i < len(line); i++ {
		if line[i] == '\\' && i+1 < len(line) {
			i++
		}
		out.WriteByte(line[i])
	}
	return out.String()
}

// callPrintf is the printf of this package, which can also assign.
func (s *session) callPrintf(ctx context.Context, args []string) ([]string, error) {
	rest := args[1:]
	variable := ""
	if len(rest) > 1 && rest[0] == "-v" {
		variable, rest = rest[1], rest[2:]
	}
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return s.complain(ctx, 2, "printf: usage: printf format [arguments]")
	}
	if variable == "" {
		return append([]string{hidden + "printf"}, rest...), nil
	}
	if !syntax.ValidName(variable) {
		return s.complain(ctx, 2, "printf: '%s': not a valid identifier", variable)
	}
	out, complaints := printf.Format(rest[0], rest[1:], s.run.limits.Variable)
	if len(out) > s.run.limits.Variable {
		return nil, s.run.exceeded("variable", int64(s.run.limits.Variable))
	}
	text := variable + "=" + argv.Quote(strings.ReplaceAll(string(out), "\x00", "")) + "\n:check " + variable
	if len(complaints) > 0 {
		text += "\n:exit 1"
	}
	return []string{"eval", text}, nil
}
