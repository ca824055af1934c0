package scripts

import (
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// manifest describes the workspace. Each path is tried alone, so that what is wrong
// with it can be told at its place.
func (p *parser) manifest(n *node) host.Manifest {
	if n == nil {
		return host.Manifest{}
	}
	whole := host.Manifest{Root: n.get("root").text()}
	if root := n.get("root"); root != nil {
		p.tryRoot(root)
	}
	whole.Ephemeral = p.paths(n, "ephemeral", func(path string) host.Manifest { return host.Manifest{Ephemeral: []string{path}} })
	whole.Mounts = p.paths(n, "mounts", func(path string) host.Manifest { return host.Manifest{Mounts: []string{path}} })
	whole.Grants = p.grants(n.get("grants"))
	whole.Environment = p.environment(n.get("environment"), "manifest.environment")
	whole.Users = texts(n.get("users"))
	for _, e := range nodeEntries(n.get("groups")) {
		whole.Groups = append(whole.Groups, host.Group{Name: e.key, Members: texts(e.value)})
	}
	whole.Entries = p.manifestEntries(n.get("entries"))
	return whole
}

// grants are paths, or maps with a path.
func (p *parser) grants(n *node) (grants []host.Grant) {
	if n == nil {
		return nil
	}
	for i, item := range n.items {
		grant := host.Grant{Path: item.text()}
		if item.kind == mapNode {
			grant = host.Grant{Path: item.get("path").text()}
			if only := item.get("read_only"); only != nil {
				grant.ReadOnly = only.value == true
			}
		}
		if _, err := workspace.NewPolicy("", grant); err != nil && !p.violated(atIndex("manifest.grants", i)) {
			p.add(item.position, atIndex("manifest.grants", i), "can't be used: "+withoutPackage(err), err)
			continue
		}
		grants = append(grants, grant)
	}
	return grants
}

// texts are the items of a list.
func texts(n *node) (list []string) {
	if n == nil {
		return nil
	}
	for _, item := range n.items {
		list = append(list, item.text())
	}
	return list
}

// paths are the items of a list below the manifest.
func (p *parser) paths(n *node, key string, with func(path string) host.Manifest) []string {
	list := n.get(key)
	if list == nil {
		return nil
	}
	paths := make([]string, len(list.items))
	for i, item := range list.items {
		paths[i] = item.text()
		p.tryManifest(item, atIndex("manifest."+key, i), with(paths[i]))
	}
	return paths
}

// tryRoot notes why a path can't be the root.
func (p *parser) tryRoot(n *node) {
	before := len(p.list)
	p.tryManifest(n, "manifest.root", host.Manifest{Root: n.text()})
	if len(p.list) > before || p.violated("manifest.root") {
		return
	}
	if _, err := workspace.NewPolicy(path.Clean(n.text())); err != nil {
		p.add(n.position, "manifest.root", "can't be used: "+withoutPackage(err), err)
	}
}

// tryManifest notes why the host doesn't take a path, unless the schema has
// found something already.
func (p *parser) tryManifest(n *node, field string, m host.Manifest) {
	if p.violated(field) {
		return
	}
	_, err := host.NewScripted(nil, host.WithManifest(m))
	if err != nil {
		p.add(n.position, field, "can't be used: "+withoutPackage(err), err)
	}
}

// withoutPackage is an error's text without the package that it starts with.
func withoutPackage(err error) string {
	return strings.TrimPrefix(strings.TrimPrefix(err.Error(), "host: "), "workspace: ")
}

// mostViolations is how many violations are looked through again and again.
const mostViolations = 100

// tooWrong reports whether so much is wrong at an item and in it that its parts
// needn't be looked at one by one.
func (p *parser) tooWrong(item string) bool { return len(p.violations[item]) > mostViolations }

// violated reports whether the schema has found something wrong at a field or in it.
func (p *parser) violated(field string) bool {
	for _, list := range p.violations {
		for _, v := range list {
			if isWithin(v.field, field) {
				return true
			}
		}
	}
	return false
}
