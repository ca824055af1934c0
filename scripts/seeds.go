package scripts

import "github.com/wasmsandbox/wasmsandbox/host/workspace"

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

// tree is where what is in a grant belongs, or below the root if there is none.
func (s *seeds) tree(grant string) *workspace.Tree {
	if grant == "" {
		return s.root
	}
	if s.grants[grant] == nil {
		s.grants[grant] = s.treeAt(grant)
	}
	return s.grants[grant]
}

// copier gives what copies the seeds into a new workspace. Contents below the root are
// shared; the times are those of the workspace.
func (s *seeds) copier() func(*workspace.Tree) error {
	entries := s.root.Snapshot()
	return func(t *workspace.Tree) error {
		if err := t.Replace(entries); err != nil {
			return err
		}
		for _, grant := range sortedKeys(s.grants) {
			if err := t.CopyFSTo(grant, s.grants[grant].FS()); err != nil {
				return err
			}
		}
		return nil
	}
}

// try reports why all of the seeds together can't be copied: each grant has been looked
// at alone.
func (s *seeds) try(copyTo func(*workspace.Tree) error) error {
	if len(s.grants) == 0 {
		return nil
	}
	return copyTo(workspace.New(workspace.Config{Policy: s.policy, Limits: s.limits}))
}
