package builtin

import (
	"fmt"
	"strings"
)

// A sedPiece is a part of a script: an argument, or a file.
type sedPiece struct {
	file string // "": an argument
	text string
}

// A sedSource is where a script comes from.
type sedSource struct{ pieces []sedPiece }

func (s *sedSource) add(p sedPiece) { s.pieces = append(s.pieces, p) }

func (s *sedSource) text() string {
	texts := make([]string, len(s.pieces))
	for i, p := range s.pieces {
		texts[i] = p.text
	}
	return strings.Join(texts, "\n")
}

// place says where an offset of the text is, as error messages do.
func (s *sedSource) place(offset int) string {
	number := 0
	for i, p := range s.pieces {
		if p.file == "" {
			number++
		}
		if offset > len(p.text) && i+1 < len(s.pieces) {
			offset -= len(p.text) + 1
			continue
		}
		if p.file != "" {
			return fmt.Sprintf("file %s line %d", p.file, 1+strings.Count(p.text[:min(offset, len(p.text))], "\n"))
		}
		return fmt.Sprintf("-e expression #%d, char %d", number, min(offset, len(p.text)))
	}
	return ""
}

// A sedCommand is one command of a script.
type sedCommand struct {
	from, to *sedAddress // nil: none
	not      bool
	name     byte

	text   string // of a, i and c; a file of r, R, w and W; a label
	number int    // of q, Q and l; -1: none
	target int    // of b, t, T and {: the next command
	s      *sedSubstitution
	y      sedTable

	lines sedRange // what the addresses have come to
}

// sedKind is what an address means.
type sedKind int

const (
	sedLine  sedKind = iota
	sedStep          // first~step
	sedLast          // $
	sedMatch         // /regex/
	sedAfter         // addr,+N
	sedUntil         // addr,~N
)

// A sedAddress selects lines.
type sedAddress struct {
	kind         sedKind
	number, step int
	regex        *sedRegex
}

// isZero reports whether it is the line before the first one.
func (a *sedAddress) isZero() bool { return a != nil && a.kind == sedLine && a.number == 0 }

// A sedRange is what is known of the lines between two addresses.
type sedRange struct {
	active bool
	end    int // the last line; -1: not known
}

// selects reports whether a command is to be run for the current line.
func (e *sedEditor) selects(cmd *sedCommand) (bool, error) {
	if cmd.from == nil {
		return !cmd.not, nil
	}
	var selected bool
	var err error
	switch {
	case cmd.to == nil:
		selected, err = e.matches(cmd.from)
	case cmd.lines.active:
		selected, err = e.goesOn(cmd)
	default:
		selected, err = e.begins(cmd)
	}
	return selected != cmd.not, err
}

func (e *sedEditor) matches(a *sedAddress) (bool, error) {
	switch a.kind {
	case sedLine:
		return e.in.line == a.number, nil
	case sedStep:
		return e.in.line >= a.number && (e.in.line-a.number)%a.step == 0, nil
	case sedLast:
		return e.in.isLast(), nil
	default:
		regex, err := e.regex(a.regex)
		if err != nil {
			return false, err
		}
		return regex.in(e.c, e.space.text), nil
	}
}

// begins looks whether lines between addresses begin.
func (e *sedEditor) begins(cmd *sedCommand) (bool, error) {
	found, err := e.matches(cmd.from)
	if !found || err != nil {
		return false, err
	}
	line, to := e.in.line, cmd.to
	end := -1
	switch to.kind {
	case sedLine:
		end = to.number
	case sedAfter:
		end = line + to.number
	case sedUntil:
		end = line
		if to.number > 0 {
			end = (line/to.number + 1) * to.number // later, as GNU has it
		}
	case sedLast:
		if e.in.isLast() {
			end = line
		}
	case sedStep, sedMatch:
	}
	cmd.lines = sedRange{active: end < 0 || end > line, end: end}
	return true, nil
}

// goesOn looks whether lines between addresses have ended.
func (e *sedEditor) goesOn(cmd *sedCommand) (bool, error) {
	if end := cmd.lines.end; end >= 0 {
		cmd.lines.active = e.in.line < end
		return e.in.line <= end, nil
	}
	last, err := e.matches(cmd.to)
	cmd.lines.active = !last
	return true, err
}

// resetRanges is for the first line of a file that is edited on its own.
func (e *sedEditor) resetRanges() {
	for i := range e.program {
		cmd := &e.program[i]
		cmd.lines = sedRange{active: cmd.from.isZero() && cmd.to != nil, end: -1}
	}
}
