package archive

import (
	"errors"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// write makes all members in the order of the archive, with their parents. It
// stops at one that would go through a symlink, or onto one: those before it stay
// (S6.32, S6.33).
func (p *plan) write(t *workspace.Tree) error {
	for _, m := range p.members {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		err := p.writeMember(t, m)
		if link, ok := errors.AsType[*workspace.SymlinkError](err); ok {
			return p.refuse(m, ReasonSymlinkParent, p.relative(link.Path), nil)
		}
		if err != nil {
			return p.refuse(m, ReasonWrite, "", err)
		}
	}
	return nil
}

func (p *plan) writeMember(t *workspace.Tree, m *member) error {
	if m.kind == kindDir {
		return t.MkdirAllNoFollow(below(p.dest, m.rel), 0)
	}
	return t.WriteFileNoFollow(below(p.dest, m.rel), m.content, 0)
}

// relative is a path as seen from the plan's folder, if it is below that.
func (p *plan) relative(absolute string) string {
	return strings.TrimPrefix(strings.TrimPrefix(absolute, p.dest), "/")
}

// parentOf is the folder that a relative path is in, "" if it is none of the
// path's own.
func parentOf(rel string) string {
	for i := len(rel) - 1; i >= 0; i-- {
		if rel[i] == '/' {
			return rel[:i]
		}
	}
	return ""
}
