package main

import (
	"embed"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

// scaffold has a folder of templates for each language, and those for all. The
// files of a project are called as their templates, without ".tmpl".
//
//go:embed all:scaffold
var scaffold embed.FS

// A project is what the templates are filled in with.
type project struct {
	Dir      string // absolute
	Name     string // the folder's
	Package  string // an identifier
	Source   string // the path of the guest's source in the project
	Language *projectLanguage

	// For Go.
	Host   string // the host's module path
	Module goModule
}

func newProject(dir string, language *projectLanguage) (*project, error) {
	name := filepath.Base(dir)
	p := &project{
		Dir: dir, Name: name, Package: strings.ReplaceAll(name, "-", ""), Source: language.source, Language: language, Host: modulePath,
	}
	var err error
	if p.Module, err = moduleFor(dir); err != nil {
		return nil, err
	}
	if language.isGo && !p.Module.isNew() {
		if err := checkImportPath(filepath.Dir(p.Module.File), dir); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// files fills in the templates, and adds the SDK.
func (p *project) files() ([]newFile, error) {
	root := "scaffold/" + p.Language.name
	files := []newFile{}
	err := fs.WalkDir(scaffold, root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(file, root+"/"), ".tmpl")
		if name == "go.mod" && !p.Module.isNew() {
			return nil
		}
		content, err := p.fill(file)
		files = append(files, newFile{path: name, content: content})
		return err
	})
	script, scriptErr := p.fill("scaffold/script.yaml.tmpl")
	files = append(files, newFile{path: "script.yaml", content: script})
	sdk, sdkErr := p.Language.sdkFiles()
	slices.SortFunc(files, func(a, b newFile) int { return strings.Compare(a.path, b.path) })
	return append(files, sdk...), errors.Join(err, scriptErr, sdkErr)
}

// fill fills in one template.
func (p *project) fill(file string) (string, error) {
	t, err := template.ParseFS(scaffold, file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.ExecuteTemplate(&b, path.Base(file), p)
	return b.String(), err
}
