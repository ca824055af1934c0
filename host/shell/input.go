package shell

import (
	"bytes"
	"context"
	"io"
	"os"
	"time"
)

// An input is what a shell reads. The interpreter can only read from files of the
// operating system, so it is the end of an anonymous pipe, which a goroutine feeds.
type input struct {
	file     *os.File
	from     io.Reader // what the pipe would be fed from, as long as nobody needs that
	terminal bool      // give what there is at once
}

// Read fills all of p unless the input ends, so that what a tool sees doesn't
// depend on how the pipe was fed.
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
func (r *run) input(ctx context.Context, p Process) (*os.File, error) {
	if in, ok := p.Stdin.(input); ok && in.file != nil {
		return in.file, nil // of a shell that runs this one
	}
	switch in := p.Stdin.(type) {
	case nil:
		return r.feed(ctx, bytes.NewReader(nil), nil)
	case *bytes.Reader:
		return r.feed(ctx, in, nil)
	default:
		return r.later(ctx, in)
	}
}

// later gives a file that stands for a reader of the caller's. Commands read from
// that reader itself, and no more than they want: it may be a person who types. The file
// is closed, so that a shell which waits for somebody holds nothing of the system's.
func (r *run) later(ctx context.Context, from io.Reader) (*os.File, error) {
	file, other, err := os.Pipe()
	if err != nil {
		return nil, r.fail(err)
	}
	_, _ = other.Close(), file.Close()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[file] = &patient{ctx: ctx, from: from}
	return file, nil
}

// closeInput closes what input gave.
func (r *run) closeInput(file *os.File) {
	_ = file.Close() // again, if it stands for a reader
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.waiting, file)
	delete(r.files, file)
}

// readerOf is what a file stands for that isn't read itself, or nil.
func (r *run) readerOf(file *os.File) io.Reader {
	r.mu.Lock()
	defer r.mu.Unlock()
	if from := r.waiting[file]; from != nil {
		return from
	}
	return nil
}

// small is what any pipe has room for.
const small = 512

// feed gives a file from which a reader's bytes can be read. What comes when they
// have been read is done at the end, if it isn't nil.
func (r *run) feed(ctx context.Context, from io.Reader, end func()) (*os.File, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, r.fail(err)
	}
	if err := r.keep(out); err != nil {
		_ = in.Close()
		return nil, err
	}
	if b, known := from.(*bytes.Reader); known && b.Len() <= small && end == nil {
		_, _ = io.Copy(in, b)
		return out, in.Close()
	}
	r.feeds.Go(func() { r.copy(ctx, out, in, from, end) })
	return out, nil
}

// copy feeds a pipe until its input ends or the context does.
func (r *run) copy(ctx context.Context, out, in *os.File, from io.Reader, end func()) {
	defer context.AfterFunc(ctx, func() { _ = out.SetReadDeadline(time.Now()) })()
	defer in.Close()
	if _, err := io.Copy(in, from); err == nil && end != nil {
		end()
	}
}
