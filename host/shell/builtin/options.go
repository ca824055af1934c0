package builtin

import (
	"fmt"
	"strings"
)

// An option is one that was given, by its letter.
type option struct {
	letter byte
	value  string
}

// A grammar says which options there are: letters, each with a colon after it if
// it takes a value, and letters by long names.
type grammar struct {
	letters  string
	long     map[string]byte
	optional string // the letters of those that may be without their value, by their long names
	ordered  bool   // operands end the options
	digits   byte   // the letter that a number as an option means, or 0
}

// parse takes arguments apart. Options may come after operands.
func (g grammar) parse(args []string) (options []option, operands []string, err error) {
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		switch {
		case arg == "--":
			return options, append(operands, args...), nil
		case strings.HasPrefix(arg, "--"):
			o, rest, err := g.longOption(arg[2:], args)
			if err != nil {
				return nil, nil, err
			}
			options, args = append(options, o), rest
		case len(arg) > 1 && arg[0] == '-':
			given, rest, err := g.cluster(arg[1:], args)
			if err != nil {
				return nil, nil, err
			}
			options, args = append(options, given...), rest
		default:
			operands = append(operands, arg)
			if g.ordered {
				return options, append(operands, args...), nil
			}
		}
	}
	return options, operands, nil
}

func (g grammar) takesValue(letter byte) (known, value bool) {
	i := strings.IndexByte(g.letters, letter)
	if letter == ':' || i < 0 {
		return false, false
	}
	return true, i+1 < len(g.letters) && g.letters[i+1] == ':'
}

func (g grammar) longOption(name string, args []string) (option, []string, error) {
	name, value, hasValue := strings.Cut(name, "=")
	letter, found := g.long[name]
	if !found {
		return option{}, nil, fmt.Errorf("unrecognized option '--%s'", name)
	}
	_, takes := g.takesValue(letter)
	switch {
	case !takes && hasValue:
		return option{}, nil, fmt.Errorf("option '--%s' doesn't allow an argument", name)
	case takes && !hasValue && strings.IndexByte(g.optional, letter) >= 0:
		return option{letter: letter}, args, nil
	case takes && !hasValue && len(args) == 0:
		return option{}, nil, fmt.Errorf("option '--%s' requires an argument", name)
	case takes && !hasValue:
		value, args = args[0], args[1:]
	}
	return option{letter, value}, args, nil
}

// cluster takes letters behind one dash apart.
func (g grammar) cluster(letters string, args []string) (options []option, rest []string, err error) {
	if g.digits != 0 && strings.Trim(letters, "0123456789") == "" {
		return []option{{g.digits, letters}}, args, nil
	}
	for i := 0; i < len(letters); i++ {
		known, takes := g.takesValue(letters[i])
		switch {
		case !known:
			return nil, nil, fmt.Errorf("invalid option -- '%c'", letters[i])
		case !takes:
			options = append(options, option{letter: letters[i]})
			continue
		case i+1 < len(letters):
			return append(options, option{letters[i], letters[i+1:]}), args, nil
		case len(args) == 0:
			return nil, nil, fmt.Errorf("option requires an argument -- '%c'", letters[i])
		}
		return append(options, option{letters[i], args[0]}), args[1:], nil
	}
	return options, args, nil
}

// flags is parse for options without values, as a set.
func (g grammar) flags(args []string) (set map[byte]bool, operands []string, err error) {
	options, operands, err := g.parse(args)
	set = map[byte]bool{}
	for _, o := range options {
		set[o.letter] = true
	}
	return set, operands, err
}
