package archive

import (
	"errors"
	"io/fs"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A state is what is at a path of a plan before anything is written.
type state uint8

const (
	stateUnknown state = iota
	stateNothing
	stateDir
	stateFile
	stateLink
)

// A survey compares a plan with what is there, so that extraction doesn't stop
// half-way where that can be told before.
type survey struct {
	plan  *plan
	tree  *workspace.Tree
	bytes int64 // that extraction adds
	files int

	folder string // in which a member was last; "": none
	inside *branch
	state  state // of that folder
}

// survey says why a member can't be written, before any has been. What is behind
// a symlink that is there already isn't looked at: extraction goes on up to that
// member (S6.32).
func (p *plan) survey(t *workspace.Tree) error {
	s := survey{plan: p, tree: t}
	usedBytes, usedFiles := t.Usage()
	for _, m := range p.members {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		link, err := s.visit(m)
		switch {
		case err != nil:
			return err
		case link:
			return nil
		case s.bytes > p.bounds.Bytes-usedBytes:
			return p.tooMuch(m.name, "bytes", p.bounds.Bytes, saturating.Add(usedBytes, s.bytes))
		case s.files > p.bounds.Files-usedFiles:
			return p.tooMuch(m.name, "files", int64(p.bounds.Files), int64(usedFiles+s.files))
		}
	}
	return nil
}

// visit looks at each part of a member's path. It reports whether one is a
// symlink.
func (s *survey) visit(m *member) (link bool, err error) {
	at, there, from := &s.plan.top, stateDir, 0
	parent := parentOf(m.rel)
	if parent != "" && parent == s.folder {
		at, there, from = s.inside, s.state, len(parent)+1
	}
	for end := from; end < len(m.rel); end++ {
		start := end
		for end < len(m.rel) && m.rel[end] != '/' {
			end++
		}
		if end == len(m.rel) {
			s.folder, s.inside, s.state = parent, at, there
		}
		at = at.children[m.rel[start:end]]
		if there, err = s.look(at, m, m.rel[:end], there); err != nil {
			return false, err
		}
		switch leaf := end == len(m.rel); {
		case there == stateLink:
			return true, nil
		case there == stateFile && (!leaf || m.kind == kindDir):
			return false, s.plan.refuse(m, ReasonWrite, m.rel[:end], workspace.ENOTDIR)
		case there == stateDir && leaf && m.kind == kindFile:
			return false, s.plan.refuse(m, ReasonWrite, m.rel, workspace.EISDIR)
		}
	}
	return false, nil
}

// look finds out what is at a path, once, and counts what will be.
func (s *survey) look(b *branch, m *member, rel string, parent state) (state, error) {
	if b.state != stateUnknown {
		return b.state, nil
	}
	old := int64(0)
	b.state = stateNothing
	if parent != stateNothing {
		info, err := s.tree.Lstat(below(s.plan.dest, rel))
		switch {
		case err == nil:
			b.state, old = stateOf(info), info.Size
		case !errors.Is(err, fs.ErrNotExist):
			return 0, s.plan.refuse(m, ReasonWrite, rel, err)
		}
	}
	if b.state == stateNothing {
		s.files++
	}
	if b.member != nil && b.member.kind == kindFile && b.state != stateDir {
		s.bytes += int64(len(b.member.content)) - old
	}
	return b.state, nil
}

func stateOf(info workspace.Info) state {
	switch {
	case info.Mode.IsDir():
		return stateDir
	case info.Mode&fs.ModeSymlink != 0:
		return stateLink
	default:
		return stateFile
	}
}
