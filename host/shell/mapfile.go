package shell

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/interp"
	"mvdan.cc/sh/v3/syntax"

	"github.com/wasmsandbox/wasmsandbox/host/argv"
)

// A mapping is what mapfile is asked to do.
type mapping struct {
	name   string
	trim   bool // leave the delimiters out
	end    byte
	count  int // of lines; 0: all
	skip   int
	origin int // -1: the array begins anew
}

// callMapfile reads lines as read does, and assigns them by a script that is called
// in its place.
func (s *session) callMapfile(ctx context.Context, args []string) ([]string, error) {
	m, err := parseMapfile(args[1:])
	if err != nil {
		return s.complain(ctx, 2, "%s: %v", args[0], err)
	}
	hc := interp.HandlerCtx(ctx)
	var text strings.Builder
	switch {
	case m.origin < 0:
		text.WriteString(m.name + "=(")
	case hc.Env.Get(m.name).IsSet():
		text.WriteString(m.name + "+=(")
	default:
		text.WriteString(m.name + "=(")
	}
	size := 0
	rd := reading{raw: true, delimiter: m.end}
	for taken := 0; m.count == 0 || taken < m.count; {
		line, ended, err := s.readLine(hc, rd)
		if err != nil {
			return nil, err
		}
		if ended && len(line) == 0 {
			break
		}
		if m.skip > 0 {
			m.skip--
			continue
		}
		if !ended && !m.trim && m.end != 0 {
			line = append(line, m.end)
		}
		if size += len(line) + overhead; size > s.run.limits.Variable {
			return nil, s.run.exceeded("variable", int64(s.run.limits.Variable))
		}
		if m.origin >= 0 {
			fmt.Fprintf(&text, "[%d]=", m.origin+taken)
		}
		text.WriteString(argv.Quote(string(line)) + " ")
		taken++
		if ended {
			break
		}
	}
	text.WriteString(")\n:check " + m.name)
	return []string{"eval", text.String()}, nil
}

func parseMapfile(args []string) (mapping, error) {
	m := mapping{name: "MAPFILE", end: '\n', origin: -1}
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		for i := 1; i < len(option); i++ {
			if option[i] == 't' {
				m.trim = true
				continue
			}
			value := option[i+1:]
			if value == "" {
				if len(args) == 0 {
					return m, fmt.Errorf("-%c: option requires an argument", option[i])
				}
				value, args = args[0], args[1:]
			}
			if err := m.option(option[i], value); err != nil {
				return m, err
			}
			break
		}
	}
	switch {
	case len(args) > 1:
		return m, fmt.Errorf("only one array name may be specified")
	case len(args) == 1:
		m.name = args[0]
	}
	if !syntax.ValidName(m.name) {
		return m, fmt.Errorf("'%s': not a valid identifier", m.name)
	}
	return m, nil
}

func (m *mapping) option(option byte, value string) error {
	if option == 'd' {
		m.end = 0
		if value != "" {
			m.end = value[0]
		}
		return nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n < 0 || n > maxText {
		return fmt.Errorf("%s: invalid number", value)
	}
	switch option {
	case 'n':
		m.count = n
	case 's':
		m.skip = n
	case 'O':
		m.origin = n
	case 'u':
		if n != 0 {
			return fmt.Errorf("-u %d: not supported", n)
		}
	default:
		return fmt.Errorf("-%c: invalid option", option)
	}
	return nil
}
