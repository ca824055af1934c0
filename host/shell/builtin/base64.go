package builtin

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// errBase64 is what GNU says of text that isn't base64.
const errBase64 = complaint("invalid input")

func convertBase64(c *command, args []string) int {
	options, names, err := grammar{letters: "diw:", long: map[string]byte{
		"decode": 'd', "ignore-garbage": 'i', "wrap": 'w',
	}}.parse(args)
	if err != nil {
		return c.badUsage(1, err)
	}
	decodes, wrap := false, 76
	d := base64Decoder{c: c}
	for _, o := range options {
		switch o.letter {
		case 'd':
			decodes = true
		case 'i':
			d.lenient = true
		case 'w':
			if wrap, err = strconv.Atoi(o.value); errors.Is(err, strconv.ErrRange) && wrap > 0 {
				wrap, err = 0, nil
			}
			if err != nil || wrap < 0 {
				return c.fail(1, "invalid wrap size: '%s'", o.value)
			}
		}
	}
	if len(names) > 1 {
		return c.fail(1, "extra operand '%s'", names[1])
	}
	name := "-"
	if len(names) > 0 {
		name = names[0]
	}
	from, err := c.open(name)
	if err != nil {
		return c.fail(1, "%s: %s", name, shell.ErrorText(err))
	}
	if decodes {
		err = d.decode(from)
	} else {
		err = c.encode(from, wrap)
	}
	if errors.Is(err, errBase64) {
		return c.badUsage(1, err)
	}
	c.unread(err, "%s", name)
	return 0
}

// encode prints what a reader has in lines of some width; 0: in one without an end.
func (c *command) encode(from io.Reader, width int) error {
	lines := &lineWrapper{c: c, width: width}
	encoder := base64.NewEncoder(base64.StdEncoding, lines)
	if err := c.eachBlock(from, func(block []byte) error {
		_, err := encoder.Write(block)
		return err
	}); err != nil {
		return err
	}
	err := encoder.Close()
	if lines.column > 0 && width > 0 {
		c.print("\n")
	}
	return err
}

// A lineWrapper prints text in lines of some width.
type lineWrapper struct {
	c             *command
	width, column int
}

func (w *lineWrapper) Write(text []byte) (int, error) {
	for rest := text; len(rest) > 0 && w.c.fatal == nil; {
		n := len(rest)
		if w.width > 0 {
			n = min(n, w.width-w.column)
		}
		w.c.write(rest[:n])
		rest = rest[n:]
		if w.column += n; w.column == w.width {
			w.c.print("\n")
			w.column = 0
		}
	}
	return len(text), w.c.fatal
}

// A base64Decoder is one base64 -d. Package base64 doesn't go on behind padding, and skips
// carriage returns, which are no base64 here.
type base64Decoder struct {
	c       *command
	lenient bool   // what is no base64 is skipped
	text    []byte // that was read and not decoded yet
	decoded []byte // room
}

func (d *base64Decoder) decode(from io.Reader) error {
	err := d.c.eachBlock(from, func(block []byte) error {
		for _, b := range block {
			if b != '\n' && (!d.lenient || b == '=' || isBase64(b)) {
				d.text = append(d.text, b)
			}
		}
		whole := len(d.text) &^ 3
		err := d.print(d.text[:whole])
		d.text = append(d.text[:0], d.text[whole:]...)
		return err
	})
	if err == nil && len(d.text) > 0 {
		return d.begin(d.text)
	}
	return err
}

// print decodes groups of four characters, any of which may have padding.
func (d *base64Decoder) print(text []byte) error {
	if bytes.IndexByte(text, '\r') < 0 {
		if decoded, err := base64.StdEncoding.AppendDecode(d.decoded[:0], text); err == nil {
			d.decoded = decoded
			d.c.write(decoded)
			return nil
		}
	}
	for ; len(text) > 0; text = text[4:] {
		decoded, err := base64.StdEncoding.AppendDecode(d.decoded[:0], text[:4])
		if err != nil {
			return d.begin(text[:4])
		}
		d.c.write(decoded)
	}
	return nil
}

// begin decodes as much as there is of a group of characters that isn't whole.
func (d *base64Decoder) begin(group []byte) error {
	n := 0
	for n < len(group) && isBase64(group[n]) {
		n++
	}
	if n > 1 {
		decoded, _ := base64.RawStdEncoding.AppendDecode(nil, group[:n])
		d.c.write(decoded)
	}
	return errBase64
}

func isBase64(b byte) bool {
	return b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || strings.IndexByte("+/", b) >= 0
}
