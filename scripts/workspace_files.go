package scripts

import (
	"encoding/base64"
	"errors"
	"io/fs"
	"path"
	"strconv"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// seedFiles makes the files that are written in the script, in their order. They
// replace those that were copied, but not one another.
func (p *parser) seedFiles(s *seeds, files *files, n *node) {
	if p.tooWrong("workspace.files") {
		return
	}
	made := map[string]string{}
	for _, e := range nodeEntries(n) {
		field := at("workspace.files", e.key)
		if p.violated(field) {
			continue
		}
		clean, err := s.place(e.key, e.value)
		if err != nil {
			p.add(e.at, field, "can't be made: "+err.Error(), err)
			continue
		}
		if other, twice := made[clean]; twice {
			p.add(e.at, field, "is the same file as "+other, nil)
			continue
		}
		made[clean] = e.key
		content, err := p.content(files, e.value, field)
		if err != nil {
			continue
		}
		grant, _ := s.policy.GrantOf(clean)
		if err := seedFile(s.tree(grant.Path), clean, e.value, content); err != nil {
			p.add(e.at, field, "can't be made: "+placeProblem(err), err)
		}
	}
}

// place is the absolute path of a file.
func (s *seeds) place(name string, n *node) (string, error) {
	clean, err := s.policy.Normalize(name)
	if err != nil {
		return "", err
	}
	grant, granted := s.policy.GrantOf(clean)
	switch {
	case clean == s.policy.Root():
		return "", errRoot
	case clean == grant.Path:
		return "", errGrant
	case granted && (n.get("owner") != nil || n.get("group") != nil):
		return "", errGrantOwner
	default:
		return clean, nil
	}
}

// Why a file has no place.
var (
	errRoot       = errors.New("it is the root itself")
	errGrant      = errors.New("it is a grant itself")
	errGrantOwner = errors.New("outside of the root all belongs to root")
)

// seedFile makes one file, folder or symlink.
func seedFile(t *workspace.Tree, name string, n *node, content []byte) error {
	err := t.MkdirAll(path.Dir(name), 0)
	if err == nil && n.get("folder") == nil {
		err = replaceFile(t, name)
	}
	if err != nil {
		return err
	}
	switch {
	case n.get("folder") != nil:
		err = t.MkdirAll(name, 0)
	case n.get("symlink") != nil:
		return t.Symlink(n.get("symlink").text(), name)
	default:
		err = t.WriteFile(name, content, 0)
	}
	if err == nil && n.get("mode") != nil {
		err = t.Chmod(name, modeOf(n))
	}
	if err == nil {
		err = t.Chown(name, n.get("owner").text(), n.get("group").text())
	}
	return err
}

// replaceFile removes a file or symlink, of which nothing stays then: neither its
// mode nor where it led.
func replaceFile(t *workspace.Tree, name string) error {
	info, err := t.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode.IsDir():
		return &fs.PathError{Op: "write", Path: name, Err: workspace.EISDIR}
	default:
		return t.Remove(name)
	}
}

// content is that of a file in a script: text, or a map with text, base64 or file.
// An error has been reported.
func (p *parser) content(files *files, n *node, field string) (content []byte, err error) {
	switch {
	case n.kind == scalarNode:
		return []byte(n.text()), nil
	case n.get("base64") != nil:
		if content, err = base64.StdEncoding.DecodeString(n.get("base64").text()); err != nil {
			p.add(n.get("base64").position, at(field, "base64"), "isn't standard base64 with padding", err)
		}
	case n.get("file") != nil:
		if content, err = files.read(n.get("file").text()); err != nil {
			p.add(n.get("file").position, at(field, "file"), "can't be copied: "+err.Error(), err)
		}
	default:
		content = []byte(n.get("text").text())
	}
	return content, err
}

// modeOf is the mode of a file in a script; 0: the usual one.
func modeOf(n *node) fs.FileMode {
	mode, err := strconv.ParseUint(n.get("mode").text(), 8, 16)
	if err != nil {
		return 0
	}
	return fs.FileMode(mode)
}
