package archive

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// Hydrate makes the root what a tar says, all at one moment, or leaves it as it is
// (S6.86). The tar may be compressed, and from any program.
//
// Kept are some paths relative to the root, with what is below these and the
// folders above them, and "." keeps all: what the tar has there is added, and its
// files replace files and symlinks, but never folders.
//
// Symlinks have to be relative and stay inside, and nothing may be below one. A tar
// that Persist made restores modes, owners and times exactly. Of others only the
// modes of files are taken, without special bits and the group's and others' right
// to write.
//
// The errors are a *MemberError, *LimitError or *CorruptError, with the root as the
// path.
//
// When the context ends, its error is returned and the root is as it was.
func Hydrate(ctx context.Context, t *workspace.Tree, r io.Reader, keep []string) error {
	return hydrate(ctx, t, keep, func(limit int64) (stream, error) {
		return decompressStream(ctx, r, limit)
	})
}

// HydrateBytes is Hydrate for a tar in memory. If it isn't compressed, its large files
// aren't copied: the workspace may keep the slice, which must not be changed any more.
func HydrateBytes(ctx context.Context, t *workspace.Tree, data []byte, keep []string) error {
	return hydrate(ctx, t, keep, func(limit int64) (stream, error) { return decompress(ctx, data, limit) })
}

func hydrate(ctx context.Context, t *workspace.Tree, keep []string, open func(limit int64) (stream, error)) error {
	keep, err := relatives(t.Policy(), keep)
	if err != nil {
		return err
	}
	root := t.Policy().Root()
	stage := t.Stage()
	h := &hydration{plan: newPlan(ctx, t, root, root, Limits{}), now: stage.Now()}
	from, err := open(h.plan.streamLimit())
	s, err := openTar(h.plan, from, err)
	if err != nil {
		return err
	}
	defer s.close()
	if err := h.read(s); err != nil {
		return err
	}
	if err := h.fill(stage); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := stage.Commit(keep...); err != nil {
		return h.explain(t, err)
	}
	return nil
}

// A hydration is a tar on its way into a root.
type hydration struct {
	plan  *plan
	now   int64
	exact bool             // the tar is one of Persist
	left  int              // members that it has yet to have, if it is
	root  *workspace.Entry // the root's attributes, if it has them
	found bool             // there has been a header
}

func (h *hydration) read(s *tarSource) error {
	for {
		header, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if err := h.member(s, header); err != nil {
			return err
		}
	}
	for _, m := range h.plan.members {
		if err := h.plan.ctx.Err(); err != nil {
			return err
		}
		if err := h.plan.checkAbove(m); err != nil {
			return err
		}
	}
	if h.left > 0 {
		return s.failed("", fmt.Errorf("%d members are missing: %w", h.left, io.ErrUnexpectedEOF))
	}
	return s.finish()
}

func (h *hydration) member(s *tarSource, header *tar.Header) error {
	if members, ours := isOurs(header); ours && !h.found {
		h.exact, h.left = true, members
	}
	h.found = true
	m, reason := tarMember(header, true)
	if header.Typeflag != tar.TypeXGlobalHeader {
		h.left--
	}
	if m == nil {
		if h.exact && header.Typeflag == tar.TypeDir {
			h.root = h.entry(&member{kind: kindDir}, header)
		}
		return nil
	}
	if err := h.plan.take(m, reason); err != nil {
		return err
	}
	if m.kind == kindLink {
		if err := h.checkTarget(m); err != nil {
			return err
		}
	}
	var err error
	if m.content, err = s.content(m, header); err != nil {
		return err
	}
	m.entry = h.entry(m, header)
	return nil
}

// checkTarget refuses a symlink that leads out of the root by its looks (S6.86).
func (h *hydration) checkTarget(m *member) error {
	switch lead := path.Join(path.Dir(m.rel), m.target); {
	case m.target == "":
		return h.plan.refuse(m, ReasonName, "", workspace.ENOENT)
	case path.IsAbs(m.target):
		return h.plan.refuse(m, ReasonAbsoluteTarget, m.target, nil)
	case lead == ".." || strings.HasPrefix(lead, "../"):
		return h.plan.refuse(m, ReasonTargetEscapes, m.target, nil)
	}
	if err := workspace.ValidatePath(m.target); err != nil {
		return h.plan.refuse(m, ReasonName, "", err)
	}
	return nil
}

// entry is what a member is to become.
func (h *hydration) entry(m *member, header *tar.Header) *workspace.Entry {
	e := &workspace.Entry{Path: m.rel, Content: m.content}
	e.Modified, e.Accessed, e.Target = h.now, h.now, m.target
	if m.rel == "" {
		e.Path = "."
	}
	switch m.kind {
	case kindDir:
		e.Mode = fs.ModeDir | workspace.DefaultDirMode
	case kindLink:
		e.Mode = fs.ModeSymlink | fs.ModePerm
	default:
		e.Mode = maskedMode(header.Mode)
	}
	if h.exact {
		e.Mode = e.Mode.Type() | workspace.FromUnixMode(uint32(header.Mode))
		e.Owner, e.Group = header.Uname, header.Gname
		e.Modified = nanoseconds(header.ModTime)
		if e.Accessed = e.Modified; !header.AccessTime.IsZero() {
			e.Accessed = nanoseconds(header.AccessTime)
		}
	}
	return e
}

// fill makes folders and files, then the symlinks.
func (h *hydration) fill(stage *workspace.Stage) error {
	if h.root != nil {
		if err := stage.Put(*h.root); err != nil {
			return h.failed(&member{name: "."}, err)
		}
	}
	for _, links := range []bool{false, true} {
		for _, m := range h.plan.members {
			if links != (m.kind == kindLink) {
				continue
			}
			if err := h.plan.ctx.Err(); err != nil {
				return err
			}
			if err := stage.Put(*m.entry); err != nil {
				return h.failed(m, err)
			}
		}
	}
	return nil
}

// failed is a member that the workspace doesn't take.
func (h *hydration) failed(m *member, err error) error {
	var tooMuch *workspace.LimitError
	if errors.As(err, &tooMuch) {
		return &LimitError{
			Path: h.plan.path, Member: m.name, Reason: ReasonWorkspace,
			Limit: tooMuch.Max, Actual: tooMuch.Actual, Err: err,
		}
	}
	return h.plan.refuse(m, ReasonWrite, "", err)
}

// explain says which member is in the way of what is kept.
func (h *hydration) explain(t *workspace.Tree, err error) error {
	var at *fs.PathError
	var tooMuch *workspace.LimitError
	if !errors.As(err, &at) || errors.As(err, &tooMuch) {
		return h.failed(&member{}, err)
	}
	b := h.plan.branch(at.Path)
	m := &member{name: at.Path}
	if b != nil && b.member != nil {
		m = b.member
	} else if b != nil && b.first != nil {
		m = b.first
	}
	switch info, _ := t.Lstat(at.Path); {
	case errors.Is(err, workspace.EISDIR):
		return h.plan.refuse(m, ReasonOntoDirectory, at.Path, err)
	case info.Mode&fs.ModeSymlink != 0:
		return h.plan.refuse(m, ReasonSymlinkParent, at.Path, err)
	default:
		return h.plan.refuse(m, ReasonBelowFile, at.Path, err)
	}
}
