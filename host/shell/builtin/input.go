package builtin

import (
	"bytes"
	"context"
	"io"
	"iter"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

const (
	// maxInput is the most that is read at once.
	maxInput = 256 << 20

	// maxLines is how many lines there may be where all of them are kept.
	maxLines = 1 << 22

	errInput = complaint("File too large")
	errLines = complaint("memory exhausted")
)

// A wholeFile is the content of a file, to be read or to be taken as it is.
type wholeFile struct {
	content []byte // which must not be changed
	*bytes.Reader
}

// An endingReader is at its end when a context is.
type endingReader struct {
	ctx  context.Context
	from io.Reader
}

func (r *endingReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.from.Read(p)
}

// answered is the standard input of a command at a terminal: what it has printed is seen
// before it waits for more.
type answered struct{ *command }

func (a answered) Read(p []byte) (int, error) {
	if err := a.out.Flush(); err != nil {
		a.fatal = err
		return 0, io.EOF
	}
	return a.Stdin.Read(p)
}

// read reads all of a file, or of the standard input for "-". The content must not
// be changed.
func (c *command) read(name string) ([]byte, error) {
	from, err := c.open(name)
	if err != nil {
		return nil, err
	}
	return c.readAll(from)
}

// readAll reads all that was opened and not read yet. It must not be changed.
func (c *command) readAll(from io.Reader) (content []byte, err error) {
	if file, ok := from.(*wholeFile); ok {
		content = file.content
	} else {
		content, err = io.ReadAll(&endingReader{c, io.LimitReader(from, maxInput+1)})
	}
	if len(content) > maxInput {
		return nil, errInput
	}
	return content, err
}

// eachBlock calls do with parts of what a reader has, up to where the command gives up.
func (c *command) eachBlock(from io.Reader, do func(block []byte) error) error {
	buffer := make([]byte, 1<<15)
	for !c.stop() {
		n, err := from.Read(buffer)
		if err := do(buffer[:n]); err != nil {
			return err
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return c.fatal
}

// each reads files, or the standard input if there are none. It tells of those
// that can't be read, which make the exit code.
func (c *command) each(code int, names []string, do func(name string, content []byte)) {
	if len(names) == 0 {
		names = []string{"-"}
	}
	for _, name := range names {
		content, err := c.read(name)
		if c.stop() {
			return
		}
		if err != nil {
			c.fail(code, "%s: %s", name, shell.ErrorText(err))
			continue
		}
		do(name, content)
	}
}

// lines are those of a text, without their ends, up to where the command gives up.
func (c *command) lines(content []byte) iter.Seq[[]byte] { return c.split(content, []byte("\n")) }

func (c *command) split(content, end []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for rest := content; len(rest) > 0; {
			line, after, _ := bytes.Cut(rest, end)
			rest = after
			if c.worked(len(line)+len(end)) || !yield(line) {
				return
			}
		}
	}
}
