package terminal

import (
	"bytes"
	"unicode/utf8"
)

// The characters that mean something to a terminal.
const (
	interruptChar = 0x03 // ^C
	endChar       = 0x04 // ^D
	deleteChar    = 0x7f
)

// A cooked terminal makes lines of what is typed.
type cooked struct {
	line []byte // the line being typed
}

// typed takes characters: whole lines go to in, the echo to out. It stops behind an
// interrupt, with which what wasn't read is lost, and gives the rest.
func (c *cooked) typed(chars string, in *input, out *output) (rest string, interrupted bool) {
	for i := range len(chars) {
		switch b := chars[i]; b {
		case interruptChar:
			out.write([]byte("^C"))
			c.line = nil
			in.clear()
			return chars[i+1:], true
		case endChar:
			c.hand(in)
		case deleteChar:
			out.write(c.erase())
		case '\r', '\n':
			c.line = append(c.line, '\n')
			out.write([]byte("\r\n"))
			c.hand(in)
		default:
			c.line = append(c.line, b)
			out.write(echo(b))
		}
	}
	return "", false
}

// hand gives the line to the process.
func (c *cooked) hand(in *input) {
	in.push(c.line)
	c.line = nil
}

// erase takes the last character of the line back. It answers what does so on the
// screen.
func (c *cooked) erase() []byte {
	if len(c.line) == 0 {
		return nil
	}
	_, size := utf8.DecodeLastRune(c.line)
	shown := echo(c.line[len(c.line)-size])
	c.line = c.line[:len(c.line)-size]
	return bytes.Repeat([]byte("\b \b"), len(shown))
}

// echo is how a byte is shown that was typed: control characters as ^ and a letter.
func echo(b byte) []byte {
	if b < ' ' && b != '\t' {
		return []byte{'^', b ^ 0x40}
	}
	return []byte{b}
}

// printed shows what a process prints.
func printed(b []byte, out *output) {
	for line := range bytes.Lines(b) {
		text, ends := bytes.CutSuffix(line, []byte("\n"))
		out.write(text)
		if ends {
			out.write([]byte("\r\n"))
		}
	}
}
