package shell

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"

	"mvdan.cc/sh/v3/interp"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/paths"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// absolute is a path as seen from a folder.
func absolute(dir, name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(dir, name)
}

// errText is an error of the workspace, as shells and utilities print it.
type errText string

func (e errText) Error() string { return string(e) }

// ErrorText is why an operation on a file failed, as utilities print it: "No such
// file or directory". What is outside of the workspace isn't there.
func ErrorText(err error) string {
	if errno := Errno(err); errno != 0 {
		return errno.Text()
	}
	return err.Error()
}

// Errno is why an operation on a file failed, as a script sees it: what is outside
// of the workspace isn't there. It is 0 if it is nothing that a workspace says.
func Errno(err error) workspace.Errno {
	if _, outside := errors.AsType[*workspace.EscapeError](err); outside {
		return workspace.ENOENT
	}
	return workspace.ErrnoOf(err)
}

// readDir lists a folder for patterns of names.
func (s *session) readDir(ctx context.Context, name string) ([]fs.DirEntry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.globstar && s.links(absolute(s.dir, name)) > 1 {
		return nil, syscall.ENOTDIR // for **, links would lead round in circles
	}
	list, err := s.run.shell.Files.ReadDir(absolute(s.dir, name))
	if err != nil {
		if errors.Is(err, workspace.ENOTDIR) {
			return nil, syscall.ENOTDIR // which is what the interpreter looks for
		}
		return nil, fs.ErrNotExist
	}
	if s.run.matches += len(list) + 1; s.run.matches > s.run.limits.Matches {
		return nil, s.run.exceeded("matches", int64(s.run.limits.Matches))
	}
	entries := make([]fs.DirEntry, len(list))
	for i, info := range list {
		entries[i] = fs.FileInfoToDirEntry(info.FileInfo())
	}
	return entries, nil
}

// links is how many symlinks a path goes through, 2 for more than one.
func (s *session) links(name string) (n int) {
	for end := range len(name) + 1 {
		if end == 0 || end < len(name) && name[end] != '/' {
			continue
		}
		info, err := s.run.shell.Files.Lstat(name[:end])
		if err == nil && info.Mode&fs.ModeSymlink != 0 {
			if n++; n > 1 {
				return n
			}
		}
	}
	return n
}

// A plainInfo is a fs.FileInfo whose Sys the interpreter can't take for the host's.
type plainInfo struct{ fs.FileInfo }

func (plainInfo) Sys() any { return nil }

func (s *session) stat(_ context.Context, name string, follow bool) (fs.FileInfo, error) {
	get := s.run.shell.Files.Stat
	if !follow {
		get = s.run.shell.Files.Lstat
	}
	info, err := get(name)
	if err != nil {
		if device(name) {
			return plainInfo{deviceInfo.FileInfo()}, nil
		}
		if paths.IsAbove(s.run.shell.Files, name) {
			return plainInfo{folderInfo.FileInfo()}, nil
		}
		return nil, err
	}
	return plainInfo{info.FileInfo()}, nil
}

var deviceInfo = workspace.Info{Mode: fs.ModeDevice | fs.ModeCharDevice | 0o666}

// folderInfo is that of a folder which only leads to the workspace.
var folderInfo = workspace.Info{Mode: fs.ModeDir | 0o755, Size: workspace.FolderSize}

// access says whether a file can be read, written or run. The owner's permissions
// decide, as all files are the user's.
func (s *session) access(ctx context.Context, name string, mode interp.AccessMode) error {
	info, err := s.stat(ctx, name, true)
	if err != nil {
		return err
	}
	owner := interp.AccessMode(info.Mode().Perm() >> 6)
	if mode&interp.AccessExec != 0 && !info.IsDir() && info.Mode()&0o111 == 0 {
		return workspace.EACCES
	}
	if s.user.UID != 0 && owner&mode != mode {
		return workspace.EACCES
	}
	return nil
}

// open opens what is redirected.
func (s *session) open(ctx context.Context, name string, flag int, _ os.FileMode) (io.ReadWriteCloser, error) {
	hc := interp.HandlerCtx(ctx)
	switch {
	case name == stagePath:
		return s.run.openStage(s.stopped, flag)
	case name == capturePath:
		return &captureWriter{run: s.run, to: hc.Stdout}, nil
	case name == s.source.path && name != "":
		return nopFile{bytes.NewReader(s.source.text), nil}, nil
	case device(name):
		return s.openDevice(name, flag, hc)
	}
	f, err := s.openFile(ctx, absolute(hc.Dir, name), flag)
	if _, full := errors.AsType[*workspace.LimitError](err); full {
		return nil, s.run.fail(err) // as what can't be written fails
	}
	if err != nil {
		return nil, &os.PathError{Op: s.name + ":", Path: name, Err: errText(ErrorText(err))}
	}
	return f, nil
}

func (s *session) openFile(ctx context.Context, name string, flag int) (io.ReadWriteCloser, error) {
	files := s.run.shell.Files
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		content, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		return s.run.inputs.add(&document{stopped: s.stopped, from: bytes.NewReader(content), file: true}), nil
	}
	handle, err := files.Open(name, workspace.OpenOptions{
		Write: true, Append: flag&os.O_APPEND != 0, Create: flag&os.O_CREATE != 0,
		Truncate: flag&os.O_TRUNC != 0, Mode: workspace.Exactly(0o666 &^ umaskIn(interp.HandlerCtx(ctx).Env)),
	})
	if err != nil {
		return nil, err
	}
	f := &outputFile{run: s.run, handle: handle}
	return f, s.run.keepOutput(f)
}

// An outputFile is a file of the workspace that is written to.
type outputFile struct {
	run    *run
	handle *workspace.Handle
	offset int64
}

func (f *outputFile) Write(p []byte) (int, error) {
	if f.run.isTrace(p) {
		return len(p), nil
	}
	end, err := f.handle.WriteAt(p, f.offset)
	if err != nil { // the interpreter's builtins would go on as if it were written
		return 0, f.run.fail(err)
	}
	f.offset = end
	return len(p), nil
}

func (f *outputFile) Read([]byte) (int, error) { return 0, io.EOF }

func (f *outputFile) Close() error {
	delete(f.run.outputs, f)
	return f.handle.Close()
}
