package builtin

import (
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/printf"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/listing"
)

// A batch is the files for -exec COMMAND {} +.
type batch struct {
	command []string
	names   []string
}

// maxBatch is how many files a command gets at once.
const maxBatch = 5000

func (p *findParser) exec() (test, error) {
	f := p.finder
	f.actions = true
	var words []string
	for {
		arg, ok := p.next()
		if !ok {
			return nil, errors.New("missing argument to `-exec'")
		}
		if arg == ";" {
			break
		}
		if arg == "+" && len(words) > 1 && words[len(words)-1] == "{}" {
			b := &batch{command: words[:len(words)-1]}
			f.batches = append(f.batches, b)
			return func(v *visit) bool {
				if b.names = append(b.names, v.name); len(b.names) >= maxBatch {
					b.flush(f)
				}
				return true
			}, nil
		}
		words = append(words, arg)
	}
	if len(words) == 0 {
		return nil, errors.New("invalid argument `;' to `-exec'")
	}
	return func(v *visit) bool {
		args := make([]string, len(words))
		for i, word := range words {
			args[i] = strings.ReplaceAll(word, "{}", v.name)
		}
		return f.c.run(args) == 0
	}, nil
}

func (b *batch) flush(f *finder) {
	if len(b.names) == 0 {
		return
	}
	if f.c.run(slices.Concat(b.command, b.names)) != 0 {
		f.c.code = 1
	}
	b.names = nil
}

// run runs another command, after what was printed so far.
func (c *command) run(args []string) int {
	if err := c.out.Flush(); err != nil && c.fatal == nil {
		c.fatal = err
	}
	if c.stop() {
		return 1
	}
	code, err := c.Run(c, shell.Process{Args: args})
	if err != nil {
		c.fatal = err
		return 1
	}
	return code
}

// findFormat fills in a format of -printf.
func (c *command) findFormat(format string, v *visit) string {
	text, _ := printf.Format(strings.ReplaceAll(format, "%", "%%"), nil, 1<<20)
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		i++
		switch text[i] {
		case 'p':
			out.WriteString(v.name)
		case 'f':
			out.WriteString(path.Base(v.name))
		case 'h':
			out.WriteString(parent(v.name))
		case 's':
			out.WriteString(c.statField('s', v.name, v.info))
		case 'm':
			out.WriteString(c.statField('a', v.name, v.info))
		case 'y':
			out.WriteString(strings.Replace(listing.Mode(v.info.Mode)[:1], "-", "f", 1))
		case 'u', 'g': // names here, and numbers for stat
			out.WriteString(c.statField(text[i]-'a'+'A', v.name, v.info))
		case 'U', 'G':
			out.WriteString(c.statField(text[i]-'A'+'a', v.name, v.info))
		case '%':
			out.WriteByte('%')
		default:
			out.WriteString("?")
		}
	}
	return out.String()
}
