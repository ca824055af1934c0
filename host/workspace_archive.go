package host

import (
	"context"
	"errors"
	"io"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/archive"
)

// ErrNoWorkspace is what the methods for whole workspaces answer when the session
// has none. It matches errors.ErrUnsupported.
var ErrNoWorkspace error = noWorkspaceError{}

type noWorkspaceError struct{}

func (noWorkspaceError) Error() string        { return "host: the session has no workspace" }
func (noWorkspaceError) Is(target error) bool { return target == errors.ErrUnsupported }

// An ExtractRequest is the arguments of Extract.
type ExtractRequest struct {
	Path   string    // where the archive goes; its folder is where the members go
	Data   io.Reader // the archive
	Scheme string    // "tar" or "zip"; "": the extension of Path
	User   string    // "": none

	// Limits are those of this archive. Nil: the session's.
	Limits *archive.Limits
}

// Extract stores an archive in the workspace, and what is in it beside it (S6.22 to
// S6.34). It isn't one of the calls that a script answers, so it isn't recorded.
// The errors are *SandboxError: CodeInvalidCompressionScheme for the scheme, and
// CodeWorkspaceArchiveWrite for the archive, with the member and the reason in the
// context.
func (s *Scripted) Extract(ctx context.Context, req ExtractRequest) error {
	b, err := s.backed(ctx)
	if err != nil {
		return err
	}
	if err := b.mayWrite(req.Path, req.User); err != nil {
		return err
	}
	limits := &b.config.ExtractLimits
	if req.Limits != nil {
		limits = req.Limits
	}
	data := req.Data
	if data == nil {
		data = eofReader{}
	}
	return archiveError(req.Path, guarded("reader", func() error {
		return archive.Extract(ctx, b.files, archive.ExtractOptions{
			Path: req.Path, Reader: &contextReader{ctx: ctx, r: data}, Scheme: req.Scheme, Limits: *limits,
		})
	}))
}

// mayWrite checks that a user can change what is at a path, as the original does with
// a command of its own before it reads an archive (S6.12).
func (b *backing) mayWrite(name, user string) error {
	if user == "" {
		return nil
	}
	if err := b.files.Access(name, b.actor(user), workspace.MayWrite); err != nil {
		return b.denied(CodeWorkspaceArchiveWrite, "write", name, err)
	}
	return nil
}

// PersistWorkspace writes all that is below the root as a tar, with names that
// start with "." (S6.86): but for PersistSkipPaths. The same files give the same
// bytes. They are written as they are made, no more than 1 MiB at a time; when the
// context ends, or the writer fails, what is written isn't all of it.
func (s *Scripted) PersistWorkspace(ctx context.Context, w io.Writer) error {
	b, err := s.backed(ctx)
	if err != nil {
		return err
	}
	tar, err := b.persist(b.files)
	if err != nil {
		return err
	}
	err = guarded("writer", func() error {
		_, err := tar.WriteTo(&contextWriter{ctx, w})
		return err
	})
	if _, ok := errors.AsType[*archive.MemberError](err); ok {
		return archiveError(b.files.Policy().Root(), err)
	}
	return err
}

// contextWriter ends between two writes when its context does.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c *contextWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// HydrateWorkspace makes the files below the root what a tar holds, all or nothing
// (S6.86). What is mounted stays.
func (s *Scripted) HydrateWorkspace(ctx context.Context, tar io.Reader) error {
	b, err := s.backed(ctx)
	if err != nil {
		return err
	}
	if tar == nil {
		tar = eofReader{}
	}
	return guarded("reader", func() error { return b.hydrate(ctx, &contextReader{ctx: ctx, r: tar}) })
}

// backed gives the workspace of a session that can be used.
func (s *Scripted) backed(ctx context.Context) (*backing, error) {
	switch {
	case s.backing == nil:
		return nil, ErrNoWorkspace
	case s.lifecycle.closed():
		return nil, ErrClosed
	default:
		return s.backing, ctx.Err()
	}
}

type eofReader struct{}

func (eofReader) Read([]byte) (int, error) { return 0, io.EOF }

// archiveError gives an archive's error the form of the sandbox's own (S6.24, S6.34).
func archiveError(name string, err error) error {
	if err == nil {
		return nil
	}
	if e := pathError(err); e != nil {
		return e
	}
	if scheme, ok := errors.AsType[*archive.SchemeError](err); ok {
		return NewSandboxError(CodeInvalidCompressionScheme, map[string]any{"path": name, "scheme": scheme.Scheme}, err)
	}
	details := map[string]any{"path": name}
	if told, ok := errors.AsType[interface {
		error
		Context() map[string]any
	}](err); ok {
		details = told.Context()
	}
	return NewSandboxError(CodeWorkspaceArchiveWrite, details, err)
}
