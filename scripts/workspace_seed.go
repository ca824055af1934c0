package scripts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/archive"
	"github.com/wasmsandbox/wasmsandbox/host/workspace/diskfs"
)

// seed reads what each session's workspace has from the beginning: once, whatever
// becomes of the files that it comes from.
func (p *parser) seed(ctx context.Context, n *node, manifest host.Manifest, limits workspace.Limits) func(*workspace.Tree) error {
	policy, err := workspace.NewPolicy(manifest.Root, manifest.Grants...)
	if err != nil { // which the manifest's own check has reported
		policy = workspace.Policy{}
	}
	s := newSeeds(policy, limits)
	p.readSeeds(ctx, s, n)
	copyTo := s.copier()
	if err := s.try(copyTo); err != nil {
		p.add(n.get("files").position, "workspace.files", "can't be made: "+placeProblem(err), err)
	}
	return copyTo
}

// readSeeds reads what the script names, in the order in which one replaces the other.
func (p *parser) readSeeds(ctx context.Context, s *seeds, n *node) {
	if n.get("folder") == nil && n.get("tar") == nil && n.get("files") == nil {
		return
	}
	files, err := p.openFiles()
	if err != nil {
		p.add(n.position, "workspace", "can't be loaded: "+err.Error(), err)
		return
	}
	defer files.close()
	p.seedFrom(n, "folder", func(name string) error { return seedFolder(ctx, s.root, files, name) })
	p.seedFrom(n, "tar", func(name string) error { return seedTar(ctx, s.root, files, name) })
	p.seedFiles(s, files, n.get("files"))
}

// seedFrom copies what one key of the workspace names.
func (p *parser) seedFrom(n *node, key string, read func(name string) error) {
	source := n.get(key)
	if source.text() == "" {
		return
	}
	if err := read(source.text()); err != nil {
		p.add(source.position, at("workspace", key), "can't be copied: "+seedProblem(err), err)
	}
}

// seedFolder copies a folder of the host. It is only read, and no link is followed.
func seedFolder(ctx context.Context, t *workspace.Tree, files *files, name string) error {
	root, err := files.openFolder(name)
	if err != nil {
		return err
	}
	folder := diskfs.New(ctx, root)
	defer folder.Close()
	return t.CopyFS(folder)
}

// seedTar unpacks a tar, which may be compressed.
func seedTar(ctx context.Context, t *workspace.Tree, files *files, name string) error {
	file, err := files.open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &pathError{name, "is a folder; for that there is the key folder", errNotRegular}
	case !info.Mode().IsRegular():
		return &pathError{name, "isn't a regular file", errNotRegular}
	case strings.EqualFold(filepath.Ext(name), ".zip"):
		return &pathError{name, "is a zip; it has to be a tar, which may be compressed", fs.ErrInvalid}
	}
	return archive.Hydrate(ctx, t, file, []string{"."})
}

// openFolder opens a folder so that no link leads out of it.
func (f *files) openFolder(name string) (*os.Root, error) {
	info, err := f.stat(filepath.FromSlash(name))
	switch {
	case err != nil:
		return nil, f.explain(name, err)
	case info.Mode().IsRegular():
		return nil, &pathError{name, "is a file; for a tar there is the key tar, for files the key files", fs.ErrInvalid}
	case !info.IsDir():
		return nil, &pathError{name, "isn't a folder", fs.ErrInvalid}
	case f.root == nil:
		return os.OpenRoot(f.full(name))
	default:
		return f.root.OpenRoot(filepath.FromSlash(name))
	}
}

// seedProblem is what went wrong with what is copied into a workspace.
func seedProblem(err error) string {
	if kind, ok := errors.AsType[*workspace.KindError](err); ok {
		return fmt.Sprintf("%s is %s, which a workspace can't have", kind.Path, specialName(kind.Mode))
	}
	if limit, ok := errors.AsType[*workspace.LimitError](err); ok {
		return limitProblem(limit)
	}
	if member, ok := errors.AsType[*archive.MemberError](err); ok && member.Err == nil {
		return fmt.Sprintf("its member %q can't be taken: %s", member.Member, member.ReasonText())
	}
	if e, ok := errors.AsType[*pathError](err); ok {
		return e.Error()
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Path + ": " + e.Err.Error()
	}
	return err.Error()
}

// placeProblem is seedProblem for a file whose name needn't be told.
func placeProblem(err error) string {
	e, ok := errors.AsType[*fs.PathError](err)
	switch {
	case errors.Is(err, workspace.ENOTDIR):
		return "a file is where a folder has to be"
	case errors.Is(err, workspace.EISDIR):
		return "there is a folder already"
	case errors.As(err, new(*workspace.LimitError)):
		return seedProblem(err)
	case ok:
		return e.Err.Error()
	default:
		return err.Error()
	}
}

// limitProblem says which limit of the workspace is exceeded.
func limitProblem(e *workspace.LimitError) string {
	what := "files"
	if e.Limit == "bytes" {
		what = "bytes"
	}
	return fmt.Sprintf("it would be more than the workspace may have: %d %s; workspace.limits.%s allows more", e.Max, what, e.Limit)
}

// specialName is what a file is that is neither a file, a folder nor a symlink.
func specialName(mode fs.FileMode) string {
	switch {
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	default:
		return "no file, folder or symlink"
	}
}
