package builtin

import (
	"errors"
	"fmt"
	"io"
)

// confirmed asks a question, and reports whether the answer begins with a y. The end of
// the input is none.
func (c *command) confirmed(format string, a ...any) bool {
	_ = c.out.Flush()
	fmt.Fprintf(c.Stderr, "%s: %s", c.name, fmt.Sprintf(format, a...))
	if c.Stdin == nil {
		return false
	}
	first := byte('\n')
	for b, i := []byte{0}, 0; !c.stop(); i++ {
		n, err := (&endingReader{c, c.Stdin}).Read(b)
		if n > 0 && i == 0 {
			first = b[0]
		}
		if n > 0 && b[0] == '\n' || errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			c.fatal = err
		}
	}
	return (first == 'y' || first == 'Y') && c.fatal == nil
}
