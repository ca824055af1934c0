package v4a

import (
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

const (
	beginOfPatch = "*** Begin Patch"
	addFile      = "*** Add File: "
	deleteFile   = "*** Delete File: "
	updateFile   = "*** Update File: "
	moveTo       = "*** Move to: "
)

// A textParser reads the text form of a patch.
type textParser struct {
	lines lines
	next  int // the line to read, counted from 0
	end   int // the line that ends the patch
}

// parseText reads a patch whose first and last lines are the markers. Its lines end
// with LF or CRLF, those of the diffs with LF.
func parseText(patch string) ([]abi.PatchOperation, error) {
	all := split(strings.TrimSuffix(strings.ReplaceAll(patch, crlf, lf), lf))
	p := &textParser{lines: all, next: 1, end: all.count() - 1}
	switch {
	case all.at(0) != beginOfPatch:
		return nil, p.fail(MissingBegin, 0)
	case p.end == 0 || all.at(p.end) != endOfPatch:
		return nil, p.fail(MissingEnd, p.end)
	case p.end == 1:
		return nil, p.fail(NoOperations, p.end)
	}
	var operations []abi.PatchOperation
	for p.next < p.end {
		operation, err := p.operation()
		if err != nil {
			return nil, err
		}
		operations = append(operations, operation)
	}
	return operations, nil
}

// fail is an error about a line.
func (p *textParser) fail(kind Kind, line int) error {
	return &Error{Kind: kind, Line: line + 1, Text: p.lines.at(line)}
}

func (p *textParser) operation() (abi.PatchOperation, error) {
	header := p.lines.at(p.next)
	switch {
	case strings.HasPrefix(header, addFile):
		return p.add()
	case strings.HasPrefix(header, deleteFile):
		return p.delete()
	case strings.HasPrefix(header, updateFile):
		return p.update()
	default:
		return abi.PatchOperation{}, p.fail(UnknownHeader, p.next)
	}
}

func (p *textParser) add() (op abi.PatchOperation, err error) {
	header := p.next
	op.Type = CreateFile
	if op.Path, err = p.path(addFile); err != nil {
		return op, err
	}
	for i, end := p.next, p.bodyEnd(); i < end; i++ {
		if !strings.HasPrefix(p.lines.at(i), "+") {
			return op, p.fail(AddWithoutPlus, i)
		}
	}
	if op.Diff = p.body(); op.Diff == nil {
		return op, p.fail(AddWithoutLines, header)
	}
	return op, nil
}

func (p *textParser) delete() (op abi.PatchOperation, err error) {
	op.Type = DeleteFile
	if op.Path, err = p.path(deleteFile); err != nil {
		return op, err
	}
	if p.next < p.bodyEnd() {
		return op, p.fail(DeleteWithBody, p.next)
	}
	return op, nil
}

func (p *textParser) update() (op abi.PatchOperation, err error) {
	header := p.next
	op.Type = UpdateFile
	if op.Path, err = p.path(updateFile); err != nil {
		return op, err
	}
	if p.next < p.end && strings.HasPrefix(p.lines.at(p.next), moveTo) {
		path, err := p.path(moveTo)
		if err != nil {
			return op, err
		}
		op.MoveTo = &path
	}
	if op.Diff = p.body(); op.Diff == nil {
		return op, p.fail(UpdateWithoutHunk, header)
	}
	return op, nil
}

// path reads a header that starts with a prefix.
func (p *textParser) path(prefix string) (string, error) {
	path := trim(p.lines.at(p.next)[len(prefix):])
	if path == "" {
		return "", p.fail(HeaderWithoutPath, p.next)
	}
	p.next++
	return path, nil
}

// bodyEnd is the line after those of the operation.
func (p *textParser) bodyEnd() int {
	for i := p.next; i < p.end; i++ {
		line := p.lines.at(i)
		if strings.HasPrefix(line, addFile) || strings.HasPrefix(line, deleteFile) || strings.HasPrefix(line, updateFile) {
			return i
		}
	}
	return p.end
}

// body reads the lines of an operation, each with its end; nil: there are none.
func (p *textParser) body() *string {
	end := p.bodyEnd()
	if end == p.next {
		return nil
	}
	diff := p.lines.text[p.lines.start(p.next):p.lines.start(end)]
	p.next = end
	return &diff
}
