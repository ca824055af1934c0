package archive

import (
	"context"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// A kind is what a member is.
type kind uint8

const (
	kindFile kind = iota
	kindDir
	kindLink
)

// A member is a file, folder or symlink that an archive has.
type member struct {
	name    string // in the archive
	rel     string // below the folder into which it goes; "" is that folder
	kind    kind
	size    int64 // of a file, as the archive says
	content []byte
	target  string // of a symlink

	entry *workspace.Entry // for Hydrate, which restores more than Extract (S6.33)
}

// A plan is what an archive makes of a folder: all members that have been found
// good, in the order of the archive, and how they lie below each other.
type plan struct {
	ctx     context.Context
	path    string // of the archive, for errors
	dest    string // the folder, absolute
	limits  Limits
	bounds  workspace.Limits
	members []*member
	top     branch
	count   int64 // members
	bytes   int64 // of files, as the archive says
	paths   int   // below the folder

	// Archives have the members of a folder one after the other, so the last one's
	// folder is remembered: deep ones would be walked again and again.
	folder  string  // the one that a member was put into last; "": none
	inside  *branch // that folder
	checked string  // the one that checkAbove has found good last
}

// A branch is a path that is a member, or has one below it.
type branch struct {
	children map[string]*branch
	member   *member // that is at the path, the last one
	first    *member // the first one below
	state    state
}

func newPlan(ctx context.Context, t *workspace.Tree, path, dest string, limits Limits) *plan {
	return &plan{ctx: ctx, path: path, dest: dest, limits: limits, bounds: t.Limits()}
}

func (p *plan) refuse(m *member, reason Reason, detail string, err error) error {
	return &MemberError{Path: p.path, Member: m.name, Reason: reason, Detail: detail, Err: err}
}

// countIn counts a member, before it is put into the plan (S6.31).
func (p *plan) countIn(m *member) error {
	if err := p.ctx.Err(); err != nil {
		return err
	}
	p.count++
	if limit := p.limits.MaxMembers; limit > 0 && p.count > limit {
		return &LimitError{Path: p.path, Member: m.name, Reason: ReasonMembers, Limit: limit, Actual: p.count}
	}
	p.bytes = saturating.Add(p.bytes, max(m.size, 0))
	if limit := p.limits.MaxExtractedBytes; limit > 0 && p.bytes > limit {
		return &LimitError{Path: p.path, Member: m.name, Reason: ReasonExtractedBytes, Limit: limit, Actual: p.bytes}
	}
	if p.bytes > p.bounds.Bytes {
		return p.tooMuch(m.name, "bytes", p.bounds.Bytes, p.bytes)
	}
	return nil
}

// tooMuch is an archive for which the workspace is too small.
func (p *plan) tooMuch(member, limit string, most, actual int64) error {
	return &LimitError{
		Path: p.path, Member: member, Reason: ReasonWorkspace, Limit: most, Actual: actual,
		Err: &workspace.LimitError{Limit: limit, Max: most, Actual: actual},
	}
}

// add puts a member into the plan, unless it is a duplicate (S6.30).
func (p *plan) add(m *member) error {
	at, rest := &p.top, m.rel
	parent := parentOf(m.rel)
	if parent != "" && parent == p.folder {
		at, rest = p.inside, m.rel[len(parent)+1:]
	}
	for more := rest != ""; more; {
		if at.first == nil {
			at.first = m
		}
		var name string
		name, rest, more = strings.Cut(rest, "/")
		next := at.children[name]
		if next == nil {
			if p.paths++; p.paths > p.bounds.Files {
				return p.tooMuch(m.name, "files", int64(p.bounds.Files), int64(p.paths))
			}
			next = &branch{}
			if at.children == nil {
				at.children = map[string]*branch{}
			}
			at.children[name] = next
		}
		if parent != "" && !more {
			p.folder, p.inside = parent, at
		}
		at = next
	}
	if old := at.member; old != nil {
		if old.kind != kindDir || m.kind != kindDir {
			return p.refuse(m, ReasonDuplicate, m.rel, nil)
		}
		at.member = m
		return nil
	}
	at.member = m
	p.members = append(p.members, m)
	return nil
}

// checkAbove refuses a member that is below another one that isn't a folder
// (S6.30). The nearest one is told of.
func (p *plan) checkAbove(m *member) error {
	parent := parentOf(m.rel)
	if parent != "" && parent == p.checked {
		return nil // what came since isn't in its way: see checkBelow
	}
	at, upper := &p.top, 0
	var blocking *member
	for end := 0; end < len(m.rel); end++ {
		start := end
		for end < len(m.rel) && m.rel[end] != '/' {
			end++
		}
		at = at.children[m.rel[start:end]]
		if end < len(m.rel) && at.member != nil && at.member.kind != kindDir {
			blocking, upper = at.member, end
		}
	}
	if blocking == nil {
		p.checked = parent
		return nil
	}
	return p.refuse(m, belowReason(blocking), m.rel[:upper], nil)
}

// checkBelow refuses the first member that is below this one, unless this one is
// a folder (S6.30).
func (p *plan) checkBelow(m *member) error {
	if m.kind == kindDir {
		return nil
	}
	var at *branch
	if parent := parentOf(m.rel); parent != "" && parent == p.folder {
		at = p.inside.children[m.rel[len(parent)+1:]]
	} else {
		at = p.branch(m.rel)
	}
	if first := at.first; first != nil {
		return p.refuse(first, belowReason(m), m.rel, nil)
	}
	return nil
}

// branch finds a path that is in the plan.
func (p *plan) branch(rel string) *branch {
	at := &p.top
	for rest, more := rel, rel != ""; more && at != nil; {
		var name string
		name, rest, more = strings.Cut(rest, "/")
		at = at.children[name]
	}
	return at
}

func belowReason(blocking *member) Reason {
	if blocking.kind == kindLink {
		return ReasonBelowSymlink
	}
	return ReasonBelowFile
}
