package host

import (
	"errors"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// DefaultRoot is the workspace's root when a manifest names none.
const DefaultRoot = workspace.DefaultRoot

// A Manifest describes the workspace of a session. One without WithWorkspace only
// pretends to have it, and nothing of the manifest is made: it answers from its
// script alone.
type Manifest struct {
	Root      string   // absolute POSIX path; "": DefaultRoot
	Ephemeral []string // paths relative to the root that are never persisted
	Mounts    []string // paths relative to the root where something else is mounted
	Grants    []Grant  // paths outside of the root that may be used

	Entries     []ManifestEntry   // what Start makes, in this order
	Environment map[string]string // of the commands that are run
	Users       []string          // of which each has a group with its name
	Groups      []Group
}

func (m Manifest) clone() Manifest {
	m.Ephemeral = slices.Clone(m.Ephemeral)
	m.Mounts = slices.Clone(m.Mounts)
	m.Grants = slices.Clone(m.Grants)
	m.Entries = slices.Clone(m.Entries)
	for i, e := range m.Entries {
		m.Entries[i] = e.clone()
	}
	m.Environment = maps.Clone(m.Environment)
	m.Users = slices.Clone(m.Users)
	m.Groups = slices.Clone(m.Groups)
	for i, g := range m.Groups {
		m.Groups[i].Members = slices.Clone(g.Members)
	}
	return m
}

// validate normalises the paths of the manifest, and says which paths there are.
func (m *Manifest) validate() (workspace.Policy, error) {
	if m.Root == "" {
		m.Root = DefaultRoot
	}
	if !strings.HasPrefix(m.Root, "/") {
		return workspace.Policy{}, invalidPath(m.Root, "absolute", "must be absolute: it is the root")
	}
	policy, err := workspace.NewPolicy(m.Root, m.Grants...)
	if err != nil {
		return policy, &SandboxError{Code: CodeSandboxConfigInvalid, Message: strings.TrimPrefix(err.Error(), "workspace: "), Cause: err}
	}
	m.Root = policy.Root()
	for _, paths := range [][]string{m.Ephemeral, m.Mounts} {
		for i, p := range paths {
			rel, err := relativePath(p)
			if err != nil {
				return policy, err
			}
			paths[i] = rel
		}
	}
	return policy, m.validateEntries()
}

// Manifest is the session's own copy. The caller owns the result.
func (s *Scripted) Manifest() Manifest { return s.config.manifest.clone() }

// NormalizePath gives the absolute path that a path means in the workspace: a
// relative one is taken from the root, and none may leave it but for the grants
// (S5.31, S6.64 to S6.68). The error is a *SandboxError with
// CodeInvalidManifestPath.
func (s *Scripted) NormalizePath(name string) (string, error) {
	clean, err := s.config.policy.Normalize(name)
	if err != nil {
		return "", pathError(err)
	}
	return clean, nil
}

// errEmptyPath is what a skip path that names nothing fails with (S5.27).
var errEmptyPath = errors.New("host: the path is empty")

// relativePath normalises a path below the root (S5.26, S5.27).
func relativePath(name string) (string, error) {
	posix := strings.ReplaceAll(name, `\`, "/")
	switch {
	case workspace.IsWindowsAbsolute(posix), strings.HasPrefix(posix, "/"):
		return "", invalidPath(posix, "absolute", "must be relative to the root")
	case slices.Contains(strings.Split(posix, "/"), ".."):
		return "", invalidPath(posix, "escape_root", "must not have .. in it")
	}
	if clean := path.Clean(posix); clean != "." {
		return clean, nil
	}
	return "", errEmptyPath
}

// invalidPath is the error for a path: the reason is the original's, the problem
// is to be read after the path.
func invalidPath(rel, reason, problem string) *SandboxError {
	err := NewSandboxError(CodeInvalidManifestPath, map[string]any{"rel": rel, "reason": reason}, nil)
	err.Message = "the path " + strconv.Quote(rel) + " " + problem
	return err
}

// overlappingMount finds a mount that a path is, contains or lies in: of several
// the shallowest, then the first in alphabetical order (S5.27).
func (m *Manifest) overlappingMount(rel string) (string, bool) {
	best, found := "", false
	for _, mount := range m.Mounts {
		if !workspace.IsBelow(mount, rel) && !workspace.IsBelow(rel, mount) {
			continue
		}
		depth, bestDepth := strings.Count(mount, "/"), strings.Count(best, "/")
		if !found || depth < bestDepth || depth == bestDepth && mount < best {
			best, found = mount, true
		}
	}
	return best, found
}
