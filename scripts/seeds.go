package scripts

import (
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// seeds are what each session's workspace has from the beginning: below its root, and
// below the grants that the script has files for.
type seeds struct {
	policy workspace.Policy
	limits workspace.Limits
	root   *workspace.Tree
	grants map[string]*workspace.Tree
}

// newSeeds begins with an empty workspace.
func newSeeds(policy workspace.Policy, limits workspace.Limits) *seeds {
	s := &seeds{policy: policy, limits: limits, grants: map[string]*workspace.Tree{}}
	s.root = s.treeAt(policy.Root())
	return s
}

// treeAt makes a tree of which a path is the root.
func (s *seeds) treeAt(root string) *workspace.Tree {
	policy, err := workspace.NewPolicy(root)
	if err != nil { // which it isn't: the path is one of a policy
		policy = workspace.Policy{}
	}
	return workspace.New(workspace.Config{Policy: policy, Limits: s.limits})
}

// grantOf is the innermost grant that a path is in; "": it is below the root.
func (s *seeds) grantOf(clean string) string {
	if isBelow(clean, s.policy.Root()) {
		return ""
	}
	best := ""
	for _, g := range s.policy.Grants() {
		if isBelow(clean, g.Path) && len(g.Path) > len(best) {
			best = g.Path
		}
	}
	return best
}

// tree is where a path belongs that is in a grant, or below the root.
func (s *seeds) tree(grant string) *workspace.Tree {
	if grant == "" {
		return s.root
	}
	if s.grants[grant] == nil {
		s.grants[grant] = s.treeAt(grant)
	}
	return s.grants[grant]
}

func isBelow(clean, folder string) bool {
	return clean == folder || folder == "/" || strings.HasPrefix(clean, folder+"/")
}

// planting puts the seeds into a new workspace. Contents below the root are shared;
// the times are those of the workspace.
func (s *seeds) planting() func(*workspace.Tree) error {
	entries := s.root.Snapshot()
	return func(t *workspace.Tree) error {
		stage, now := t.Stage(), t.Now()
		for _, e := range entries {
			e.Modified, e.Accessed = now, now
			if err := stage.Put(e); err != nil {
				return err
			}
		}
		if err := t.Adopt(stage); err != nil {
			return err
		}
		for _, grant := range sortedKeys(s.grants) {
			if err := t.Fill(grant, s.grants[grant].FS()); err != nil {
				return err
			}
		}
		return nil
	}
}

// try reports why all of the seeds together can't be planted: each grant has been
// looked at alone.
func (s *seeds) try(plant func(*workspace.Tree) error) error {
	if len(s.grants) == 0 {
		return nil
	}
	return plant(workspace.New(workspace.Config{Policy: s.policy, Limits: s.limits}))
}
