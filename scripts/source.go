package scripts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

// javaScript is the language of source that is run as it is. The others are those
// of package sourcebuild.
const javaScript = "js"

// A code is what a guest is made of.
type code struct {
	bytes []byte // a module, or JavaScript
	file  string // of the JavaScript, as the script calls it; "" for a module
}

// load makes a guest of the code, which has a digest unless that is "".
func (c code) load(ctx context.Context, r *host.Runtime, name, digest string, options ...host.ModuleOption) (*host.Module, error) {
	if c.file == "" {
		return r.Load(ctx, name, c.bytes, append(options, pinned(digest)...)...)
	}
	sum := sha256.Sum256(c.bytes)
	if digest != "" && !strings.EqualFold(digest, hex.EncodeToString(sum[:])) {
		return nil, &host.ModuleError{
			Kind: host.ModuleWrongDigest, Module: name, Detail: fmt.Sprintf("it is %x, not %s", sum, digest),
		}
	}
	return js.Load(ctx, r, name, c.file, c.bytes, options...)
}

// pinned is the option for a digest, or none for "".
func pinned(digest string) []host.ModuleOption {
	if digest == "" {
		return nil
	}
	return []host.ModuleOption{host.WithSHA256(digest)}
}

// code reads the guest's module or JavaScript, or builds the module.
func (m *module) code(ctx context.Context, c config, files *files) (code, bool) {
	path, key := m.node, ""
	if m.node.kind == mapNode {
		if key = "source"; m.node.get(key) == nil {
			key = "wasm"
		}
		path = m.node.get(key)
	}
	dir, err := files.dir(path.text())
	if err != nil {
		m.fail(path, at(m.field, key), err)
		return code{}, false
	}
	isFolder := dir != ""
	isScript := !isFolder && js.IsProgram(path.text())
	if where, field, problem := m.misfit(path, key, isFolder, isScript); problem != "" {
		m.problems.add(where.position, at(m.field, field), problem, nil)
		return code{}, false
	}
	if isFolder {
		return m.build(ctx, c, dir, path, key)
	}
	data, err := files.read(path.text())
	if err != nil {
		m.fail(path, at(m.field, key), err)
		return code{}, false
	}
	if isScript {
		return code{bytes: data, file: path.text()}, true
	}
	return code{bytes: data}, true
}

// misfit says what is wrong with a path or a language that the key, "" for a lone
// path, isn't for.
func (m *module) misfit(path *node, key string, isFolder, isScript bool) (where *node, field, problem string) {
	lang := m.node.get("lang")
	switch {
	case lang != nil && key != "source":
		return lang, "lang", "is for source"
	case key == "wasm" && isFolder:
		return path, key, "is a folder; name it with source instead of wasm"
	case key == "wasm" && isScript:
		return path, key, "is JavaScript; name it with source instead of wasm"
	case key == "source" && !isFolder && !isScript:
		return path, key, "must be a folder with source, or a .js file"
	case lang != nil && isFolder && lang.text() == javaScript:
		return path, key, "is a folder; for JavaScript it must be a .js file"
	case lang != nil && isScript && lang.text() != javaScript:
		return lang, "lang", "must be js for a .js file"
	}
	return nil, "", ""
}

// build builds the guest, command or program from a folder of source.
func (m *module) build(ctx context.Context, c config, dir string, path *node, key string) (code, bool) {
	if c.forbidBuild {
		m.problems.add(path.position, at(m.field, key),
			"would have to be built, and building from source isn't allowed here", errBuildForbidden)
		return code{}, false
	}
	kind := sourcebuild.Reactor
	if key == "command" || key == "program" {
		kind = sourcebuild.Kind(key)
	}
	built, err := sourcebuild.Build(ctx, dir, sourcebuild.Options{
		Language: sourcebuild.Language(m.node.get("lang").text()), Kind: kind,
	})
	if err != nil {
		m.fail(path, at(m.field, key), err)
		return code{}, false
	}
	return code{bytes: built.Wasm}, true
}

var errBuildForbidden = errors.New("scripts: building from source is forbidden")
