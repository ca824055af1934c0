package builtin

import (
	"bufio"
	"errors"
	"io"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A sedLineText is a line, and whether there was an end of line behind it.
type sedLineText struct {
	text []byte
	ends bool
}

// A sedInput is the lines of files, one file after the other.
type sedInput struct {
	c       *command
	options sedOptions
	names   []string // what is left
	name    string   // the current file
	reader  *bufio.Reader
	stdin   *bufio.Reader
	line    int // the number of the current one
	opened  func(name string) bool
	closed  func()
}

// next reads a line.
func (in *sedInput) next() (sedLineText, bool, error) {
	for {
		if in.reader == nil && !in.open() {
			return sedLineText{}, false, nil
		}
		line, ok, err := in.read(in.reader)
		if ok || errors.Is(err, errSedMemory) {
			in.line++
			return line, ok, err
		}
		if err != nil {
			in.c.fail(4, "read error on %s: %s", in.name, shell.ErrorText(err))
		}
		in.reader = nil
		in.closed()
		if in.c.stop() {
			return sedLineText{}, false, nil
		}
	}
}

// read reads a line from one file.
func (in *sedInput) read(from *bufio.Reader) (line sedLineText, ok bool, err error) {
	for {
		part, err := from.ReadSlice(in.options.delimiter)
		line.text = append(line.text, part...)
		if len(line.text) > maxSedSpace {
			return line, false, errSedMemory
		}
		switch {
		case err == nil:
			line.text, line.ends = line.text[:len(line.text)-1], true
			return line, true, nil
		case errors.Is(err, bufio.ErrBufferFull):
			if in.c.stop() {
				return line, false, nil
			}
		case errors.Is(err, io.EOF):
			return line, len(line.text) > 0, nil
		default:
			return line, len(line.text) > 0, err
		}
	}
}

// open opens the next file that can be read.
func (in *sedInput) open() bool {
	for len(in.names) > 0 {
		name := in.names[0]
		in.names = in.names[1:]
		if in.options.inPlace && !in.editable(name) {
			continue
		}
		reader, err := in.file(name)
		if err != nil {
			if shell.Errno(err) != workspace.EISDIR {
				in.c.fail(2, "can't read %s: %s", name, shell.ErrorText(err))
			} else {
				in.c.fail(4, "read error on %s: %s", name, shell.ErrorText(err))
			}
			continue
		}
		in.name, in.reader = name, reader
		if in.options.separate {
			in.line = 0
		}
		if in.opened(name) {
			return true
		}
		in.reader = nil
	}
	return false
}

// editable reports whether a file can be edited in place.
func (in *sedInput) editable(name string) bool {
	info, err := in.c.stat(name)
	switch {
	case err != nil:
		in.c.fail(2, "can't read %s: %s", name, shell.ErrorText(err))
	case !info.Mode.IsRegular():
		in.c.fail(4, "couldn't edit %s: not a regular file", name)
	default:
		return true
	}
	return false
}

// file opens a file. The standard input goes on where it was left.
func (in *sedInput) file(name string) (*bufio.Reader, error) {
	stdin := name == "-" || name == "/dev/stdin"
	if stdin && in.stdin != nil {
		return in.stdin, nil
	}
	from, err := in.c.open(name)
	if err != nil {
		return nil, err
	}
	reader := bufio.NewReaderSize(from, 1<<15)
	if stdin {
		in.stdin = reader
	}
	return reader, nil
}

// isLast reports whether no line follows the current one.
func (in *sedInput) isLast() bool {
	if in.reader != nil {
		if _, err := in.reader.Peek(1); err == nil {
			return false
		}
	}
	if in.options.separate {
		return true
	}
	for _, name := range in.names {
		reader, err := in.file(name)
		if err != nil {
			continue
		}
		if _, err := reader.Peek(1); err == nil {
			return false
		}
	}
	return true
}

// hasNext is isLast of files that are edited one after the other, too.
func (in *sedInput) hasNext() bool {
	if !in.isLast() {
		return true
	}
	if in.options.separate {
		for _, name := range in.names {
			if reader, err := in.file(name); err == nil {
				if _, err := reader.Peek(1); err == nil {
					return true
				}
			}
		}
	}
	return false
}
