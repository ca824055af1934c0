package builtin

import (
	"bufio"
)

// A sedEditor runs a script.
type sedEditor struct {
	c       *command
	options sedOptions
	program []sedCommand
	in      sedInput

	space, hold sedLineText
	last        *boundedMatcher
	replaced    bool // for t
	pending     []sedCommand
	code        int

	standard, out *sedOutput
	edited        []byte // for a file that is edited in place
	files         map[string]*sedOutput
	readers       map[string]*bufio.Reader // of R
}

func newSedEditor(c *command, o sedOptions, program []sedCommand, names []string) *sedEditor {
	e := &sedEditor{
		c: c, options: o, program: program, standard: c.sedStandard(), hold: sedLineText{ends: true},
		files: map[string]*sedOutput{}, readers: map[string]*bufio.Reader{},
	}
	e.out = e.standard
	e.in = sedInput{c: c, options: o, names: names, opened: e.opened, closed: e.closed}
	return e
}

func (e *sedEditor) opened(string) bool {
	if e.options.separate {
		e.resetRanges()
	}
	if e.options.inPlace {
		return e.inPlace()
	}
	return true
}

func (e *sedEditor) closed() {
	if e.options.inPlace {
		e.replace()
	}
}

func (e *sedEditor) close() {
	for _, out := range e.files {
		out.close()
	}
}

// A sedEnd is how a run of the script through a line ended.
type sedEnd int

const (
	sedGoesOn  sedEnd = iota // it hasn't
	sedPrints                // the line is printed
	sedDeletes               // the line isn't printed
	sedRepeats               // the next one is what is left of this one
	sedQuits                 // the line is printed, and is the last one
	sedAborts                // the line isn't printed, and is the last one
)

// run runs the script for all lines.
func (e *sedEditor) run() int {
	err := e.openFiles()
	for end := sedGoesOn; err == nil && end < sedQuits && !e.c.stop(); {
		if end != sedRepeats {
			var found bool
			if found, err = e.read(false); err != nil || !found {
				break
			}
		}
		if end, err = e.cycle(); err == nil {
			err = e.finish(end)
		}
	}
	return e.outcome(err)
}

func (e *sedEditor) outcome(err error) int {
	if e.c.stop() {
		return 0
	}
	if err != nil {
		code := 4
		if err == errNoPattern {
			code = 1
		}
		return e.c.fail(code, "%v", err)
	}
	if e.in.reader != nil {
		e.closed()
	}
	return e.code
}

func (e *sedEditor) openFiles() error {
	for _, cmd := range e.program {
		name := ""
		switch {
		case cmd.name == 'w' || cmd.name == 'W':
			name = cmd.text
		case cmd.s != nil:
			name = cmd.s.file
		}
		if name == "" {
			continue
		}
		if _, err := e.file(name); err != nil {
			return err
		}
	}
	return nil
}

// read reads a line into the pattern space, or behind what is there.
func (e *sedEditor) read(behind bool) (bool, error) {
	if err := e.flush(); err != nil {
		return false, err
	}
	line, found, err := e.in.next()
	if !found || err != nil {
		return false, err
	}
	e.replaced = false
	if behind {
		line.text, err = joinSpaces(e.space.text, line.text, e.options.delimiter)
	} else if err = e.prepend(); err != nil {
		return false, err
	}
	e.space = line
	return true, err
}

// joinSpaces puts a text behind another one.
func joinSpaces(to, text []byte, delimiter byte) ([]byte, error) {
	if len(to)+len(text) > maxSedSpace {
		return to, errSedMemory
	}
	return append(append(to, delimiter), text...), nil
}

// finish is what happens at the end of a script.
func (e *sedEditor) finish(end sedEnd) error {
	if (end == sedPrints || end == sedQuits) && !e.options.quiet {
		if err := e.out.line(e.space, e.options.delimiter); err != nil {
			return err
		}
	}
	if end == sedAborts {
		return nil
	}
	return e.flush()
}

// flush writes what a, r and R have put off.
func (e *sedEditor) flush() error {
	for _, cmd := range e.pending {
		var err error
		switch cmd.name {
		case 'a':
			err = e.out.text([]byte(cmd.text), e.options.delimiter)
		case 'R':
			err = e.out.line(sedLineText{[]byte(cmd.text), true}, e.options.delimiter)
		default:
			err = e.content(cmd.text)
		}
		if err != nil {
			return err
		}
	}
	e.pending = e.pending[:0]
	return nil
}

// content writes all of a file, if it can be read.
func (e *sedEditor) content(name string) error {
	content, err := e.c.read(name)
	if err != nil {
		return nil
	}
	return e.out.text(content, e.options.delimiter)
}

// prepend writes files before the first line: 0r.
func (e *sedEditor) prepend() error {
	for _, cmd := range e.program {
		if e.in.line == 1 && cmd.name == 'r' && cmd.from.isZero() {
			if err := e.content(cmd.text); err != nil {
				return err
			}
		}
	}
	return nil
}

// cycle runs the script for the line in the pattern space.
func (e *sedEditor) cycle() (sedEnd, error) {
	for at := 0; at < len(e.program); {
		if e.c.stop() {
			return sedAborts, nil
		}
		cmd := &e.program[at]
		at++
		selected, err := e.selects(cmd)
		if err != nil {
			return sedAborts, err
		}
		if !selected {
			if cmd.name == '{' {
				at = cmd.target
			}
			continue
		}
		switch cmd.name {
		case 'b':
			at = cmd.target
		case 't', 'T':
			if e.replaced == (cmd.name == 't') {
				at = cmd.target
			}
			e.replaced = false
		default:
			if end, err := e.do(cmd); end != sedGoesOn || err != nil {
				return end, err
			}
		}
	}
	return sedPrints, nil
}
