package builtin

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// An argumenter is one xargs.
type argumenter struct {
	c          *command
	most       int    // arguments of a command
	replace    string // -I
	zero       bool
	delimiter  string
	unlessNone bool
	command    []string
}

func xargs(c *command, args []string) int {
	options, words, err := grammar{letters: "0n:I:rd:L:P:tx", ordered: true, long: map[string]byte{
		"null": '0', "max-args": 'n', "no-run-if-empty": 'r', "delimiter": 'd', "max-procs": 'P',
	}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	x := argumenter{c: c, command: words}
	if len(words) == 0 {
		x.command = []string{"echo"}
	}
	lines := false
	for _, o := range options {
		switch o.letter {
		case '0':
			x.zero = true
		case 'r':
			x.unlessNone = true
		case 'I':
			x.replace = o.value
		case 'd':
			text, _ := shell.Printf(strings.ReplaceAll(o.value, "%", "%%"), nil, 16)
			x.delimiter = string(text)
		case 'n', 'L':
			if x.most, err = strconv.Atoi(o.value); err != nil || x.most < 1 {
				return c.fail(1, "invalid number \"%s\" for -%c option", o.value, o.letter)
			}
			lines = o.letter == 'L'
		}
	}
	content, err := c.read("-")
	if err != nil {
		return c.fail(1, "%s", shell.ErrorText(err))
	}
	items, err := x.items(string(content), lines)
	if err != nil {
		return c.badUsage(1, err)
	}
	return x.run(items)
}

// items are the arguments that were read.
func (x *argumenter) items(content string, wholeLines bool) ([]string, error) {
	switch {
	case x.zero:
		return split(content, "\x00"), nil
	case x.delimiter != "":
		return split(content, x.delimiter), nil
	case x.replace != "" || wholeLines:
		var items []string
		for _, line := range split(content, "\n") {
			if line = strings.TrimLeft(line, " \t"); line != "" {
				items = append(items, line)
			}
		}
		return items, nil
	default:
		return quotedWords(content)
	}
}

func split(content, separator string) []string {
	if content == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(content, separator), separator)
}

// quotedWords splits at blanks that aren't quoted.
func quotedWords(content string) ([]string, error) {
	var words []string
	var word strings.Builder
	in, quote := false, byte(0)
	for i := 0; i < len(content); i++ {
		b := content[i]
		switch {
		case quote != 0 && b == quote:
			quote = 0
		case quote != 0 && b == '\n':
			return nil, errors.New("unmatched quote; by default quotes are special to xargs unless you use the -0 option")
		case quote != 0:
			word.WriteByte(b)
		case b == '\'' || b == '"':
			in, quote = true, b
		case b == '\\' && i+1 < len(content):
			i++
			in = true
			word.WriteByte(content[i])
		case b == ' ' || b == '\t' || b == '\n':
			if in {
				words = append(words, word.String())
			}
			in = false
			word.Reset()
		default:
			in = true
			word.WriteByte(b)
		}
	}
	if quote != 0 {
		return nil, errors.New("unmatched quote; by default quotes are special to xargs unless you use the -0 option")
	}
	if in {
		words = append(words, word.String())
	}
	return words, nil
}

// maxArguments is how many bytes of arguments a command gets, as of GNU.
const maxArguments = 128 << 10

func (x *argumenter) run(items []string) int {
	x.c.Stdin = nil
	if x.replace != "" {
		for _, item := range items {
			args := make([]string, len(x.command))
			for i, word := range x.command {
				args[i] = strings.ReplaceAll(word, x.replace, item)
			}
			if !x.call(args) {
				break
			}
		}
		return x.c.code
	}
	if len(items) == 0 && !x.unlessNone {
		x.call(x.command)
	}
	for len(items) > 0 {
		n, size := 0, 0
		for n < len(items) && (x.most == 0 || n < x.most) && (n == 0 || size+len(items[n]) < maxArguments) {
			size += len(items[n]) + 1
			n++
		}
		if !x.call(slices.Concat(x.command, items[:n])) {
			break
		}
		items = items[n:]
	}
	return x.c.code
}

// call runs the command, and says whether to go on.
func (x *argumenter) call(args []string) bool {
	code := x.c.run(args)
	switch {
	case x.c.fatal != nil:
		return false
	case code == 255:
		x.c.fail(124, "%s: exited with status 255; aborting", args[0])
		return false
	case code == 126 || code == 127:
		x.c.code = code
		return false
	case code != 0:
		x.c.code = 123
	}
	return true
}

// prefix runs a command as it is.
func prefix(c *command, args []string) int {
	if len(args) == 0 {
		return c.fail(125, "missing operand")
	}
	return c.run(args)
}
