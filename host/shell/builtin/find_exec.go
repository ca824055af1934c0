package builtin

import (
	"errors"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
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
