package scripts

import (
	"context"
	"errors"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// manifestEntries are what a start makes.
func (p *parser) manifestEntries(n *node) (entries []host.ManifestEntry) {
	if len(nodeEntries(n)) == 0 || p.tooWrong("manifest.entries") {
		return nil
	}
	files, err := p.openFiles()
	if err != nil {
		p.add(n.position, "manifest.entries", "can't be loaded: "+err.Error(), err)
		return nil
	}
	defer files.close()
	for _, e := range n.entries {
		field := at("manifest.entries", e.key)
		if p.violated(field) {
			continue
		}
		entry := host.ManifestEntry{
			Path: e.key, Folder: e.value.get("folder") != nil, Mode: modeOf(e.value),
			Owner: e.value.get("owner").text(), Group: e.value.get("group").text(),
		}
		if ephemeral := e.value.get("ephemeral"); ephemeral != nil {
			entry.Ephemeral = ephemeral.value == true
		}
		if entry.Content, err = p.content(files, e.value, field); err != nil {
			continue
		}
		p.tryManifest(&node{position: e.at}, field, host.Manifest{Entries: []host.ManifestEntry{entry}})
		entries = append(entries, entry)
	}
	return entries
}

// tryEntries starts a session, to see whether the entries can be made in the
// workspace. It tells of the first that can't.
func (p *parser) tryEntries(ctx context.Context, document *node, manifest host.Manifest, w host.Workspace) {
	entries := nodeEntries(document.get("manifest").get("entries"))
	if len(entries) == 0 || len(p.list) > 0 {
		return
	}
	session, err := host.NewScripted(nil, host.WithManifest(manifest), host.WithWorkspace(w))
	if err != nil {
		where := document.get("manifest")
		p.add(where.position, "manifest", "can't be used: "+withoutPackage(err), err)
		return
	}
	defer func() { _ = session.Close(ctx) }()
	err = session.Start(ctx)
	failure, ok := errors.AsType[*host.ManifestEntryError](err)
	switch {
	case err == nil, ctx.Err() != nil:
	case ok:
		entry := entries[failure.Index]
		p.add(entry.at, at("manifest.entries", entry.key), "can't be made: "+placeProblem(failure.Err), failure)
	default:
		p.add(document.get("manifest").position, "manifest.entries", "can't be made: "+withoutPackage(err), err)
	}
}
