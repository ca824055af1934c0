package builtin

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// sedOptions say how an editor works.
type sedOptions struct {
	quiet, extended, separate, inPlace, sandbox bool

	suffix    string // of the copy of a file that is edited in place
	delimiter byte   // what ends a line
	width     int    // of what the command l prints
}

// Long options of sed that have no letter.
const (
	sedInPlace byte = iota + 1
	sedSandbox
	sedVersion
	sedIgnored
)

var sedGrammar = grammar{
	letters: "ne:f:Ersuzbl:\x01:\x02\x03\x04", long: map[string]byte{
		"quiet": 'n', "silent": 'n', "expression": 'e', "file": 'f', "regexp-extended": 'E', "separate": 's',
		"unbuffered": 'u', "null-data": 'z', "zero-terminated": 'z', "line-length": 'l', "binary": 'b',
		"in-place": sedInPlace, "sandbox": sedSandbox, "version": sedVersion, "posix": sedIgnored,
		"debug": sedIgnored, "follow-symlinks": sedIgnored,
	},
}

// sed edits lines by a script.
func sed(c *command, args []string) int {
	options, names, err := sedGrammar.parse(sedArguments(args))
	if err != nil {
		return c.badUsage(1, err)
	}
	o := sedOptions{delimiter: '\n', width: 70}
	var source sedSource
	for _, given := range options {
		switch given.letter {
		case sedVersion:
			c.print("sed (GNU sed) 4.9\n")
			return 0
		case 'e':
			source.add(sedPiece{text: given.value})
		case 'f':
			content, err := c.read(given.value)
			if err != nil {
				return c.fail(4, "couldn't open file %s: %s", given.value, shell.ErrorText(err))
			}
			source.add(sedPiece{file: given.value, text: strings.TrimSuffix(string(content), "\n")})
		case 'l':
			if o.width, err = strconv.Atoi(given.value); err != nil || o.width < 0 {
				return c.fail(1, "invalid line length: %s", given.value)
			}
		default:
			o.set(given)
		}
	}
	if len(source.pieces) == 0 {
		if len(names) == 0 {
			return c.fail(1, "no script specified")
		}
		source.add(sedPiece{text: names[0]})
		names = names[1:]
	}
	return c.sed(source, names, o)
}

func (o *sedOptions) set(given option) {
	switch given.letter {
	case 'n':
		o.quiet = true
	case 'E', 'r':
		o.extended = true
	case 's':
		o.separate = true
	case 'z':
		o.delimiter = 0
	case sedInPlace:
		o.inPlace, o.separate, o.suffix = true, true, given.value
	case sedSandbox:
		o.sandbox = true
	}
}

// sedArguments gives -i, which may have a value in the same argument, the form of
// other options.
func sedArguments(args []string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			return append(out, args[i:]...)
		case arg == "--in-place":
			arg = "--in-place="
		case strings.HasPrefix(arg, "--") || len(arg) < 2 || arg[0] != '-':
		default:
			n := strings.IndexAny(arg, "iefl")
			switch {
			case n > 0 && arg[n] == 'i':
				if n > 1 {
					out = append(out, arg[:n])
				}
				arg = "--in-place=" + arg[n+1:]
			case n > 0 && n == len(arg)-1 && i+1 < len(args):
				out = append(out, arg)
				i++
				arg = args[i]
			}
		}
		out = append(out, arg)
	}
	return out
}

// sedCode is the exit code for what is wrong with a script.
func sedCode(err error) int {
	if strings.HasPrefix(err.Error(), "can't find label") {
		return 4
	}
	return 1
}

// sed runs a script over files.
func (c *command) sed(source sedSource, names []string, o sedOptions) int {
	p := sedParser{source: source, text: source.text(), options: &o}
	if strings.HasPrefix(p.text, "#n") {
		o.quiet = true
	}
	program, err := p.parse()
	if err != nil {
		return c.badUsage(sedCode(err), err)
	}
	if len(names) == 0 {
		if o.inPlace {
			return c.fail(4, "no input files")
		}
		names = []string{"-"}
	}
	e := newSedEditor(c, o, program, names)
	defer e.close()
	return e.run()
}

// A sedTable says what stands for each character.
type sedTable map[rune]rune

// apply gives a text with its characters replaced. What isn't UTF-8 stays.
func (t sedTable) apply(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if to, ok := t[r]; ok && (r != utf8.RuneError || n > 1) {
			out = utf8.AppendRune(out, to)
		} else {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	return out
}
