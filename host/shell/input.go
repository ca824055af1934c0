package shell

import (
	"bytes"
	"context"
	"io"
	"os"
)

// An input is what a shell reads. The interpreter can only read from files of the
// operating system, so that it gets some that stand for readers.
type input struct {
	file     *os.File
	from     io.Reader // what the file stands for; nil: itself, which a here-document is in
	terminal bool      // give what there is at once
}

// Read fills all of p unless the input ends, so that what a tool sees doesn't
// depend on how its input is made.
func (i input) Read(p []byte) (int, error) {
	from := i.from
	if from == nil && i.file == nil {
		return 0, io.EOF
	}
	if from == nil {
		from = i.file
	}
	if i.terminal {
		return from.Read(p)
	}
	n, err := io.ReadFull(from, p)
	if n > 0 || len(p) == 0 {
		return n, nil
	}
	return 0, err
}

// input makes the input of a shell from what a process is given.
func (r *run) input(ctx context.Context, p Process) *os.File {
	switch in := p.Stdin.(type) {
	case input:
		return r.again(ctx.Err, in)
	case nil:
		return r.document(ctx.Err, bytes.NewReader(nil), nil)
	case *bytes.Reader:
		return r.document(ctx.Err, in, nil)
	default: // commands read no more than they want: it may be a person who types
		return r.inputs.add(&patient{ctx: ctx, from: in})
	}
}

// document gives a file that stands for a reader which never waits. What comes when all
// has been read is done at the end, if it isn't nil.
func (r *run) document(stopped func() error, from io.Reader, end func()) *os.File {
	return r.inputs.add(&document{stopped: stopped, from: from, end: end})
}

// again gives a file that stands for an input, which isn't closed with it.
func (r *run) again(stopped func() error, in input) *os.File {
	switch {
	case in.file == nil:
		return r.document(stopped, bytes.NewReader(nil), nil)
	case in.from == nil:
		return r.inputs.add(in.file)
	default:
		return r.inputs.add(in.from)
	}
}

// A document is read until its shell is stopped.
type document struct {
	stopped func() error
	from    io.Reader // nil: it is at its end
	end     func()
	file    bool // of the workspace
}

// IsFile reports whether the Stdin of a process is a file of the workspace, and no pipe.
func IsFile(stdin io.Reader) bool {
	in, _ := stdin.(input)
	d, ok := in.from.(*document)
	return ok && d.file
}

// mostOfADocument is how much is read until that is looked at again.
const mostOfADocument = 1 << 20

func (d *document) Read(p []byte) (int, error) {
	if err := d.stopped(); err != nil {
		return 0, err
	}
	if d.from == nil {
		return 0, io.EOF
	}
	n, err := d.from.Read(p[:min(len(p), mostOfADocument)])
	if err == io.EOF {
		d.from = nil // it may be large
		if d.end != nil {
			d.end()
		}
	}
	return n, err
}
