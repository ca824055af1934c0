package shell

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"

	"mvdan.cc/sh/v3/interp"
)

// device reports whether a path is that of a device, which redirections know.
func device(name string) bool {
	switch name {
	case "/dev/null", "/dev/zero", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty",
		"/dev/fd/0", "/dev/fd/1", "/dev/fd/2", "/dev/random", "/dev/urandom":
		return true
	}
	return false
}

func (s *session) openDevice(ctx context.Context, name string, flag int, hc interp.HandlerContext) (io.ReadWriteCloser, error) {
	switch name {
	case "/dev/stdout", "/dev/fd/1":
		return nopFile{nil, hc.Stdout}, nil
	case "/dev/stderr", "/dev/fd/2":
		return nopFile{nil, hc.Stderr}, nil
	case "/dev/stdin", "/dev/fd/0":
		content, err := io.ReadAll(s.input(hc))
		if err != nil {
			return nil, err
		}
		return s.run.feed(ctx, bytes.NewReader(content), nil)
	case "/dev/zero":
		return s.run.feed(ctx, Zeros{}, nil)
	case "/dev/random", "/dev/urandom":
		return s.run.feed(ctx, rand.NewChaCha8([32]byte{}), nil)
	case "/dev/tty":
		return nil, &os.PathError{Op: s.name + ":", Path: name, Err: errText("No such device or address")}
	default:
		if flag&(os.O_WRONLY|os.O_RDWR) != 0 {
			return nopFile{}, nil
		}
		return s.run.feed(ctx, bytes.NewReader(nil), nil)
	}
}

// A nopFile is a reader or writer as a file that isn't closed.
type nopFile struct {
	from io.Reader
	to   io.Writer
}

func (f nopFile) Read(p []byte) (int, error) {
	if f.from == nil {
		return 0, io.EOF
	}
	return f.from.Read(p)
}

func (f nopFile) Write(p []byte) (int, error) {
	if f.to == nil {
		return len(p), nil
	}
	return f.to.Write(p)
}

func (f nopFile) Close() error { return nil }

// Zeros is what /dev/zero has.
type Zeros struct{}

func (Zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
