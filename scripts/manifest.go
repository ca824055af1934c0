package scripts

import (
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// manifest reads the workspace. Each path is tried alone, so that what is wrong
// with it can be told at its place.
func (p *parser) manifest(n *node) host.Option {
	whole := host.Manifest{Root: n.get("root").text()}
	if root := n.get("root"); root != nil {
		p.tryManifest(root, "manifest.root", host.Manifest{Root: whole.Root})
	}
	whole.Ephemeral = p.paths(n, "ephemeral", func(path string) host.Manifest { return host.Manifest{Ephemeral: []string{path}} })
	whole.Mounts = p.paths(n, "mounts", func(path string) host.Manifest { return host.Manifest{Mounts: []string{path}} })
	return host.WithManifest(whole)
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

// tryManifest notes why the host doesn't take a path, unless the schema has
// found something already.
func (p *parser) tryManifest(n *node, field string, m host.Manifest) {
	for _, list := range p.violations {
		for _, v := range list {
			if v.field == field {
				return
			}
		}
	}
	_, err := host.NewScripted(nil, host.WithManifest(m))
	if err != nil {
		p.add(n.position, field, "can't be used: "+strings.TrimPrefix(err.Error(), "host: "), err)
	}
}
