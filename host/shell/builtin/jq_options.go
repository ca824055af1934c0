package builtin

import (
	"strconv"
	"strings"
)

// jqOptions say what jq reads and prints, and how.
type jqOptions struct {
	null, raw, join, ascii, slurp, rawInput, exitStatus, tab, stream, sequence, unbuffered, version bool

	indent  int    // -1: all on one line
	end     string // what comes after a value
	filter  string
	files   []string
	names   []string // of variables
	values  []any
	given   map[string]any // variables by name, for $ARGS
	args    []any          // the same by position
	isFile  bool           // the filter is the name of a file
	filters int            // how many there were
}

// jqLong are the letters of long options that have no value.
var jqLong = map[string]byte{
	"null-input": 'n', "raw-output": 'r', "compact-output": 'c', "slurp": 's', "exit-status": 'e',
	"ascii-output": 'a', "sort-keys": 'S', "join-output": 'j', "raw-input": 'R', "from-file": 'f', "color-output": 'C',
	"monochrome-output": 'M', "tab": 't', "stream": 'm', "seq": 'q', "unbuffered": 'u', "version": 'V',
	"raw-output0": '0',
}

// jqTwo are the options with two values.
var jqTwo = map[string]bool{"arg": true, "argjson": true, "slurpfile": true, "rawfile": true}

// jqOptions reads arguments.
func (c *command) jqOptions(args []string) (jqOptions, error) {
	o := jqOptions{indent: 2, end: "\n", given: map[string]any{}, args: []any{}}
	rest := "" // what positional arguments are: files, or values
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		name, long := strings.CutPrefix(arg, "--")
		switch {
		case arg == "--":
			for _, arg := range args {
				if err := o.operand(arg, rest); err != nil {
					return o, err
				}
			}
			args = nil
		case long && (name == "args" || name == "jsonargs"):
			rest = name
		case long && jqTwo[name]:
			if len(args) < 2 {
				return o, complaint("--" + name + " takes two parameters")
			}
			if err := c.jqVariable(&o, name, args[0], args[1]); err != nil {
				return o, err
			}
			args = args[2:]
		case long && name == "indent":
			if len(args) == 0 {
				return o, complaint("--indent takes one parameter")
			}
			if err := o.setIndent(args[0]); err != nil {
				return o, err
			}
			args = args[1:]
		case long:
			if letter := jqLong[name]; letter == 0 || !o.set(letter) {
				return o, complaint("Unknown arguments: --" + name)
			}
		case len(arg) > 1 && arg[0] == '-':
			if err := o.cluster(arg[1:]); err != nil {
				return o, err
			}
		default:
			if err := o.operand(arg, rest); err != nil {
				return o, err
			}
		}
	}
	return o, c.finishJQ(&o)
}

func (o *jqOptions) cluster(letters string) error {
	for _, letter := range []byte(letters) {
		if strings.IndexByte("nrcseaSjRfCMV", letter) < 0 || !o.set(letter) {
			if letter == 'L' {
				return complaint("modules are not supported")
			}
			return complaint("Unknown arguments: -" + letters)
		}
	}
	return nil
}

func (o *jqOptions) set(letter byte) bool {
	switch letter {
	case 'n':
		o.null = true
	case 'r':
		o.raw = true
	case 'j':
		o.raw, o.join = true, true
	case '0':
		o.raw, o.end = true, "\x00"
	case 'c':
		o.indent, o.tab = -1, false
	case 't':
		o.indent, o.tab = 1, true
	case 's':
		o.slurp = true
	case 'e':
		o.exitStatus = true
	case 'a':
		o.ascii = true
	case 'R':
		o.rawInput = true
	case 'f':
		o.isFile = true
	case 'm':
		o.stream = true
	case 'q':
		o.sequence = true
	case 'u':
		o.unbuffered = true
	case 'V':
		o.version = true
	case 'S', 'C', 'M':
		// keys are sorted always, and nothing has colors
	default:
		return false
	}
	return true
}

func (o *jqOptions) setIndent(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n > 7 {
		return complaint("Cannot indent that many characters")
	}
	if o.indent, o.tab = n, false; n == 0 {
		o.indent = -1
	}
	return nil
}

// operand takes an argument that is no option.
func (o *jqOptions) operand(arg, rest string) error {
	switch o.filters++; {
	case o.filters == 1:
		o.filter = arg
	case rest == "":
		o.files = append(o.files, arg)
	case rest == "args":
		o.args = append(o.args, arg)
	default:
		value, err := parseJSON(arg)
		if err != nil {
			return complaint("Invalid JSON text passed to --jsonargs")
		}
		o.args = append(o.args, value)
	}
	return nil
}

// jqVariable sets a variable.
func (c *command) jqVariable(o *jqOptions, kind, name, text string) error {
	var value any = text
	var err error
	switch kind {
	case "argjson":
		if value, err = parseJSON(text); err != nil {
			return complaint("Invalid JSON text passed to --argjson")
		}
	case "rawfile":
		if value, err = c.fileText(text); err != nil {
			return err
		}
	case "slurpfile":
		content, err := c.fileText(text)
		if err != nil {
			return err
		}
		if value, err = parseAllJSON(content); err != nil {
			return complaint("Bad JSON in --slurpfile " + name + " " + text + ": " + err.Error())
		}
	}
	if _, twice := o.given[name]; twice {
		return nil // the first one counts
	}
	o.given[name] = value
	o.names, o.values = append(o.names, "$"+name), append(o.values, value)
	return nil
}

// finishJQ looks after what all arguments say together.
func (c *command) finishJQ(o *jqOptions) error {
	switch {
	case o.version:
		return nil
	case o.filters == 0 && o.isFile:
		return complaint("no filter given")
	case o.filters == 0:
		o.filter = "."
	case o.isFile:
		text, err := c.fileText(o.filter)
		if err != nil {
			return err
		}
		o.filter = text
	}
	if strings.TrimSpace(o.filter) == "" {
		o.filter = "."
	}
	o.names = append(o.names, "$ARGS")
	o.values = append(o.values, map[string]any{"named": o.given, "positional": o.args})
	return nil
}
