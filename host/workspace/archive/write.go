package archive

import "github.com/wasmsandbox/wasmsandbox/host/workspace"

// write makes all members in the order of the archive, with their parents. It
// stops at one that would go through a symlink, or onto one: those before it stay
// (S6.32, S6.33).
func (p *plan) write(t *workspace.Tree) error {
	folders := map[string]bool{} // folders known to be such
	for _, m := range p.members {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		if link := p.symlinkIn(t, m.rel, folders); link != "" {
			return p.refuse(m, ReasonSymlinkParent, link, nil)
		}
		if err := p.writeMember(t, m, folders); err != nil {
			return p.refuse(m, ReasonWrite, "", err)
		}
	}
	return nil
}

func (p *plan) writeMember(t *workspace.Tree, m *member, folders map[string]bool) error {
	if m.kind == kindDir {
		return t.MkdirAll(below(p.dest, m.rel), 0)
	}
	if parent := parentOf(m.rel); parent != "" && !folders[parent] {
		if err := t.MkdirAll(below(p.dest, parent), 0); err != nil {
			return err
		}
		folders[parent] = true
	}
	return t.WriteFile(below(p.dest, m.rel), m.content, 0)
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
