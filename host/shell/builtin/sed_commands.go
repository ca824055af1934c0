package builtin

import (
	"bytes"
	"fmt"
	"strconv"
)

// do runs a command that isn't a jump.
func (e *sedEditor) do(cmd *sedCommand) (sedEnd, error) {
	switch cmd.name {
	case 'n', 'N':
		return e.nextLine(cmd)
	case 'd', 'D', 'c':
		return e.delete(cmd)
	case 'q', 'Q':
		e.code = max(cmd.number, 0) & 0xff
		if cmd.name == 'q' {
			return sedQuits, nil
		}
		return sedAborts, nil
	case 's':
		return sedGoesOn, e.doSubstitution(cmd.s)
	case 'y':
		e.space.text = cmd.y.apply(e.space.text)
	case 'g', 'G', 'h', 'H', 'x', 'z':
		return sedGoesOn, e.exchange(cmd.name)
	case 'a', 'r', 'R':
		return sedGoesOn, e.putOff(cmd)
	default:
		return sedGoesOn, e.write(cmd)
	}
	return sedGoesOn, nil
}

func (e *sedEditor) nextLine(cmd *sedCommand) (sedEnd, error) {
	if !e.in.hasNext() {
		return sedQuits, nil
	}
	if cmd.name == 'n' && !e.options.quiet {
		if err := e.out.line(e.space, e.options.delimiter); err != nil {
			return sedAborts, err
		}
	}
	found, err := e.read(cmd.name == 'N')
	if !found && err == nil {
		return sedQuits, nil
	}
	return sedGoesOn, err
}

func (e *sedEditor) delete(cmd *sedCommand) (sedEnd, error) {
	switch n := bytes.IndexByte(e.space.text, e.options.delimiter); {
	case cmd.name == 'c' && (cmd.to == nil || !cmd.lines.active || cmd.not):
		return sedDeletes, e.out.text([]byte(cmd.text), e.options.delimiter)
	case cmd.name == 'D' && n >= 0:
		e.space.text = e.space.text[n+1:]
		return sedRepeats, nil
	}
	return sedDeletes, nil
}

func (e *sedEditor) doSubstitution(s *sedSubstitution) error {
	replaced, err := e.substitute(s)
	if !replaced || err != nil {
		return err
	}
	e.replaced = true
	if s.print > 0 {
		if err := e.out.line(e.space, e.options.delimiter); err != nil {
			return err
		}
	}
	if s.file == "" {
		return nil
	}
	out, err := e.file(s.file)
	if err != nil {
		return err
	}
	return out.line(e.space, e.options.delimiter)
}

// exchange runs a command that has to do with the hold space.
func (e *sedEditor) exchange(name byte) (err error) {
	switch name {
	case 'g':
		e.space = sedLineText{bytes.Clone(e.hold.text), e.hold.ends}
	case 'G':
		e.space.text, err = joinSpaces(e.space.text, e.hold.text, e.options.delimiter)
		e.space.ends = e.space.ends || e.hold.ends
	case 'h':
		e.hold = sedLineText{bytes.Clone(e.space.text), e.space.ends}
	case 'H':
		e.hold.text, err = joinSpaces(e.hold.text, e.space.text, e.options.delimiter)
		e.hold.ends = e.hold.ends || e.space.ends
	case 'x':
		e.space, e.hold = e.hold, e.space
	case 'z':
		e.space.text = nil
	}
	return err
}

// maxSedPending is how much can be put off.
const maxSedPending = 1 << 16

// putOff keeps what is written at the end of the script.
func (e *sedEditor) putOff(cmd *sedCommand) error {
	put := sedCommand{name: cmd.name, text: cmd.text}
	if cmd.name == 'R' {
		reader, found := e.readers[cmd.text]
		if !found {
			reader, _ = e.in.file(cmd.text)
			e.readers[cmd.text] = reader
		}
		if reader == nil {
			return nil
		}
		line, ok, err := e.in.read(reader)
		if !ok || err != nil {
			return err
		}
		put.text = string(line.text)
	}
	if len(e.pending) == maxSedPending {
		return errSedMemory
	}
	e.pending = append(e.pending, put)
	return nil
}

// write runs a command that writes.
func (e *sedEditor) write(cmd *sedCommand) error {
	firstLine, _, _ := bytes.Cut(e.space.text, []byte{e.options.delimiter})
	switch cmd.name {
	case 'p':
		return e.out.line(e.space, e.options.delimiter)
	case 'P':
		return e.out.line(sedLineText{firstLine, true}, e.options.delimiter)
	case 'i':
		return e.out.text([]byte(cmd.text), e.options.delimiter)
	case '=':
		return e.out.text([]byte(strconv.Itoa(e.in.line)+"\n"), e.options.delimiter)
	case 'F':
		return e.out.text([]byte(e.in.name+"\n"), e.options.delimiter)
	case 'l':
		width := cmd.number
		if width < 0 {
			width = e.options.width
		}
		return e.out.text(sedVisible(e.space.text, width), e.options.delimiter)
	case 'w', 'W':
		out, err := e.file(cmd.text)
		if err != nil {
			return err
		}
		line := e.space
		if cmd.name == 'W' {
			line = sedLineText{firstLine, true}
		}
		return out.line(line, e.options.delimiter)
	}
	return nil
}

// sedVisible is a text as l prints it.
func sedVisible(text []byte, width int) []byte {
	var out []byte
	column := 0
	for _, b := range text {
		char := visibleByte(b)
		if width > 0 && column+len(char) > width-1 {
			out = append(out, "\\\n"...)
			column = 0
		}
		out = append(out, char...)
		column += len(char)
	}
	return append(out, "$\n"...)
}

func visibleByte(b byte) string {
	if i := bytes.IndexByte([]byte("\a\b\f\n\r\t\v\\"), b); i >= 0 {
		return `\` + `abfnrtv\`[i:i+1]
	}
	if b < ' ' || b > '~' {
		return fmt.Sprintf("\\%03o", b)
	}
	return string(rune(b))
}
