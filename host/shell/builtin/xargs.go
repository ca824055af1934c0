package builtin

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/argv"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/printf"
)

// An argumenter is one xargs.
type argumenter struct {
	c          *command
	most       int    // arguments of a command
	replace    string // -I
	zero       bool
	delimiter  string
	unlessNone bool
	tells      bool
	command    []string
	failed     error // why there are no more items
}

const errQuote = complaint("unmatched quote; by default quotes are special to xargs unless you use the -0 option")

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
		case 't':
			x.tells = true
		case 'I':
			x.replace = o.value
		case 'd':
			text, _ := printf.Format(strings.ReplaceAll(o.value, "%", "%%"), nil, 16)
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
	code := x.run(x.items(content, lines))
	if x.failed != nil {
		return c.badUsage(1, x.failed)
	}
	return code
}

// items are the arguments that were read, up to where the command gives up or they
// can't be read.
func (x *argumenter) items(content []byte, wholeLines bool) iter.Seq[[]byte] {
	switch {
	case x.zero:
		return x.c.split(content, []byte{0})
	case x.delimiter != "":
		return x.c.split(content, []byte(x.delimiter))
	case x.replace != "" || wholeLines:
		return func(yield func([]byte) bool) {
			for line := range x.c.lines(content) {
				if line = bytes.TrimLeft(line, " \t"); len(line) > 0 && !yield(line) {
					return
				}
			}
		}
	default:
		return func(yield func([]byte) bool) { x.words(content, yield) }
	}
}

// words splits at blanks that aren't quoted.
func (x *argumenter) words(content []byte, yield func([]byte) bool) {
	var word []byte
	in, quote := false, byte(0)
	for i := 0; i < len(content) && !x.c.worked(1); i++ {
		b := content[i]
		switch {
		case quote != 0 && b == quote:
			quote = 0
		case quote != 0 && b == '\n':
			x.failed = errQuote
			return
		case quote != 0:
			word = append(word, b)
		case b == '\'' || b == '"':
			in, quote = true, b
		case b == '\\' && i+1 < len(content):
			i++
			in = true
			word = append(word, content[i])
		case b == ' ' || b == '\t' || b == '\n':
			if in && !yield(word) {
				return
			}
			in, word = false, word[:0]
		default:
			in = true
			word = append(word, b)
		}
	}
	if quote != 0 {
		x.failed = errQuote
	} else if in {
		yield(word)
	}
}

// maxArguments is how many bytes of arguments a command gets, as of GNU.
const maxArguments = 128 << 10

func (x *argumenter) run(items iter.Seq[[]byte]) int {
	x.c.Stdin = nil
	if x.replace != "" {
		for item := range items {
			if args := x.replaced(item); args == nil || !x.call(args) {
				break
			}
		}
		return x.c.code
	}
	some := false
	batch := x.batch()
	for item := range items {
		if some = true; batch.size > 0 && batch.size+len(item) >= maxArguments {
			if !x.call(batch.args) {
				return x.c.code
			}
			batch = x.batch()
		}
		batch.add(item)
		if batch.count == x.most {
			if !x.call(batch.args) {
				return x.c.code
			}
			batch = x.batch()
		}
	}
	if x.failed == nil && !x.c.stop() && (batch.count > 0 || !some && !x.unlessNone) {
		x.call(batch.args)
	}
	return x.c.code
}

// An argumentBatch is a command that gets more and more arguments.
type argumentBatch struct {
	args        []string
	count, size int // of what was added
}

func (x *argumenter) batch() *argumentBatch { return &argumentBatch{args: slices.Clone(x.command)} }

func (b *argumentBatch) add(item []byte) {
	b.args = append(b.args, string(item))
	b.count++
	b.size += len(item) + 1
}

// replaced is the command with an item where -I says. It is nil if that is too long.
func (x *argumenter) replaced(item []byte) []string {
	args, size := make([]string, len(x.command)), 0
	for i, word := range x.command {
		if size += len(word) + strings.Count(word, x.replace)*len(item); size > maxArguments {
			x.failed = complaint("argument line too long")
			return nil
		}
		args[i] = strings.ReplaceAll(word, x.replace, string(item))
	}
	return args
}

// call runs the command, and says whether to go on.
func (x *argumenter) call(args []string) bool {
	if x.tells {
		x.tell(args)
	}
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

// tell is what -t prints: the command, as a shell would take it.
func (x *argumenter) tell(args []string) {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = argv.Quote(arg)
	}
	_ = x.c.out.Flush()
	fmt.Fprintln(x.c.Stderr, strings.Join(words, " "))
}

// prefix runs a command as it is.
func prefix(c *command, args []string) int {
	if len(args) == 0 {
		return c.fail(125, "missing operand")
	}
	return c.run(args)
}
