package archive

import (
	"context"
	"errors"
	"io"
	"path"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// ExtractOptions say what is extracted, and where.
type ExtractOptions struct {
	// Path is where the archive is written. It is unpacked into the folder that
	// this is in.
	Path string

	// Data is the archive. The workspace keeps the slice, which must not be
	// changed any more.
	Data []byte

	// Reader is the archive instead of Data.
	Reader io.Reader

	// Scheme is SchemeTar or SchemeZip; "": what the path ends in (S6.24).
	Scheme string

	// Limits bound what is taken; the zero value is none but those of the
	// workspace.
	Limits Limits
}

// Extract writes an archive into a workspace, and unpacks it beside itself (S6.23).
//
// Errors come in that order: a *LimitValueError; a *SchemeError; what the
// workspace says of the path; a *LimitError if the archive is too large. Nothing
// has been written then. A *MemberError, *LimitError or *CorruptError tells what is
// wrong in the archive: the archive is there (S6.27), but none of its members,
// unless one meets a symlink: those before it have been made (S6.32), and none goes
// through one. A workspace that others change at the same time can stop it anywhere.
//
// Modes and times aren't restored (S6.33). Members that differ in case only are
// different ones. The context's error is returned as soon as it ends, and what is
// written by then stays.
func Extract(ctx context.Context, t *workspace.Tree, o ExtractOptions) error {
	if err := o.Limits.Validate(); err != nil {
		return err
	}
	kind, err := scheme(o.Path, o.Scheme)
	if err != nil {
		return err
	}
	dest, err := t.Policy().NormalizeForWrite(o.Path)
	if err != nil {
		return err
	}
	o.Path = dest
	data, err := input(ctx, o, t.Limits().Bytes)
	if err != nil {
		return err
	}
	if err := writeArchive(t, dest, data); err != nil {
		return err
	}
	folder, err := t.Realpath(path.Dir(dest)) // which may be behind a symlink, unlike what is below
	if err != nil {
		return err
	}
	p := newPlan(ctx, t, dest, folder, o.Limits)
	if kind == SchemeZip {
		err = readZip(p, data)
	} else {
		err = readTar(p, data)
	}
	if err == nil {
		err = p.survey(t)
	}
	if err == nil {
		err = p.write(t)
	}
	return err
}

// writeArchive writes the archive itself, with the folder that it is in.
func writeArchive(t *workspace.Tree, dest string, data []byte) error {
	err := t.WriteFile(dest, data, 0)
	if errors.Is(err, workspace.ENOENT) {
		if err = t.MkdirAll(path.Dir(dest), 0); err == nil {
			err = t.WriteFile(dest, data, 0)
		}
	}
	return err
}
