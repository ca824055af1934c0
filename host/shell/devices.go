package shell

import (
	"bytes"
	"io"
	"os"

	"mvdan.cc/sh/v3/interp"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/devices"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
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

func (s *session) openDevice(name string, flag int, hc interp.HandlerContext) (io.ReadWriteCloser, error) {
	writes := flag&(os.O_WRONLY|os.O_RDWR) != 0
	switch name {
	case "/dev/stdout", "/dev/fd/1":
		return nopFile{nil, hc.Stdout}, nil
	case "/dev/stderr", "/dev/fd/2":
		return nopFile{nil, hc.Stderr}, nil
	case "/dev/stdin", "/dev/fd/0":
		if writes {
			return nil, &os.PathError{Op: s.name + ":", Path: name, Err: errText(workspace.EACCES.Text())}
		}
		return s.run.again(s.stopped, s.input(hc)), nil
	case "/dev/zero", "/dev/random", "/dev/urandom":
		return s.run.document(s.stopped, devices.Reader(name), nil), nil
	case "/dev/tty":
		return nil, &os.PathError{Op: s.name + ":", Path: name, Err: errText("No such device or address")}
	default:
		if writes {
			return nopFile{}, nil
		}
		return s.run.document(s.stopped, bytes.NewReader(nil), nil), nil
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
