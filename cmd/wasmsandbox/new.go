package main

import (
	"embed"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/spf13/cobra"
)

const newLong = `Make a folder with a responder, a script that uses it, and tests of both. NAME is
the folder: its last element begins with a letter, and has lower-case letters,
digits, - and _ only. Nothing that exists is overwritten.

Inside of a Go module the folder becomes a package of it. Elsewhere it gets a
go.mod of its own.`

//go:embed scaffold/*.tmpl
var scaffold embed.FS

// templates are the files that new writes, and what they are made of.
var templates = []struct{ path, template string }{
	{"README.md", "README.md.tmpl"},
	{"responder/main.go", "main.go.tmpl"},
	{"responder/main_test.go", "main_test.go.tmpl"},
	{"script.yaml", "script.yaml.tmpl"},
	{"script_test.go", "script_test.go.tmpl"},
}

func (a *app) newNew() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a responder with its script and tests",
		Long:  newLong,
		Example: `  wasmsandbox new greeter
  wasmsandbox new internal/testdata/greeter --lang go`,
		Args:              exactlyOne("NAME"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	addChoice(cmd, false, "lang", "language of the responder", "go")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if args[0] == "" {
			return &usageHint{err: errors.New("NAME is empty"), command: cmd.CommandPath()}
		}
		return a.scaffold(args[0])
	}
	return cmd
}

func (a *app) scaffold(path string) error {
	path = filepath.Clean(path)
	dir, err := scaffoldDir(path)
	if err != nil {
		return fail(exitUsage, "%w", err)
	}
	project, err := newProject(dir)
	if err != nil {
		return fail(exitUsage, "%w", err)
	}
	files, err := project.files()
	if err != nil {
		return fail(exitUsage, "%w", err)
	}
	if err := writeNew(path, files); err != nil {
		return fail(exitUsage, "%w", err)
	}
	a.printScaffold(path, project, files)
	return nil
}

var validName = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)

// scaffoldDir checks the name, and makes it an absolute path.
func scaffoldDir(path string) (string, error) {
	dir, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	switch base := filepath.Base(dir); {
	case visible(path) != path:
		return "", fmt.Errorf("the name %q can't be used: it has control characters", path)
	case !validName.MatchString(base):
		return "", fmt.Errorf("the name %q can't be used: it has to begin with a letter, and have lower-case letters, digits, - and _ only", base)
	case base == "testdata" || base == "vendor":
		return "", fmt.Errorf("the name %q can't be used: the go command treats such folders in its own way", base)
	case isDevice(base):
		return "", errDevice(base)
	}
	return dir, nil
}

// isDevice reports whether Windows takes a file's name for a device, whatever
// its extension is. The go command refuses such elements of import paths.
func isDevice(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	switch name {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(name) == 4 && (name[:3] == "com" || name[:3] == "lpt") && '1' <= name[3] && name[3] <= '9'
}

func errDevice(name string) error {
	return fmt.Errorf("the name %q can't be used: it is a device's on Windows, and the go command refuses it", name)
}

// plainElement is what the go command takes as an element of an import path, but
// for devices.
var plainElement = regexp.MustCompile(`^[A-Za-z0-9_.~+-]*[A-Za-z0-9_~+-]$`)

// checkImportPath refuses a folder that can't be a package of the module in root.
func checkImportPath(root, dir string) error {
	below, err := filepath.Rel(root, dir)
	if err != nil {
		return err
	}
	for element := range strings.SplitSeq(filepath.ToSlash(below), "/") {
		switch {
		case isDevice(element):
			return errDevice(element)
		case element != "." && !plainElement.MatchString(element):
			return fmt.Errorf("the folder %q can't be used: the go command refuses it in an import path", element)
		}
	}
	return nil
}

// A project is what the templates are filled in with.
type project struct {
	Dir     string // absolute
	Name    string // the folder's
	Package string // a Go identifier
	Host    string // the host's module path
	Module  goModule
}

func newProject(dir string) (*project, error) {
	name := filepath.Base(dir)
	module, err := moduleFor(dir)
	if err != nil {
		return nil, err
	}
	if !module.isNew() {
		if err := checkImportPath(filepath.Dir(module.File), dir); err != nil {
			return nil, err
		}
	}
	return &project{
		Dir: dir, Name: name, Package: strings.ReplaceAll(name, "-", ""), Host: modulePath, Module: module,
	}, nil
}

// files fills in the templates.
func (p *project) files() ([]newFile, error) {
	wanted := templates
	if p.Module.isNew() {
		wanted = append([]struct{ path, template string }{{"go.mod", "go.mod.tmpl"}}, templates...)
	}
	all, err := template.ParseFS(scaffold, "scaffold/*.tmpl")
	if err != nil {
		return nil, err
	}
	var files []newFile
	var errs []error
	for _, w := range wanted {
		var b strings.Builder
		errs = append(errs, all.ExecuteTemplate(&b, w.template, p))
		files = append(files, newFile{path: w.path, content: b.String()})
	}
	return files, errors.Join(errs...)
}

func (a *app) printScaffold(path string, p *project, files []newFile) {
	style := a.palette(a.stdout)
	t := newTable(a.stdout)
	for _, f := range files {
		t.row(style.good("created"), filepath.Join(path, filepath.FromSlash(f.path)))
	}
	t.flush()
	_, _ = fmt.Fprint(a.stdout, "\nNext:\n")
	for _, command := range p.nextCommands(path, installed()) {
		_, _ = fmt.Fprintf(a.stdout, "  %s\n", command)
	}
	if !installed() {
		_, _ = fmt.Fprintf(a.stdout, "\nThe last line does without wasmsandbox in PATH. To install it:\n  %s\n", p.Module.goInstall())
	}
}

// nextCommands are what to do with a project that was just made.
func (p *project) nextCommands(path string, installed bool) []string {
	commands := slices.Concat([]string{"cd " + quoteShell(path)}, p.Module.First(), p.Module.Next(), []string{"go test ./..."})
	if installed {
		return append(commands, "wasmsandbox run .")
	}
	return append(commands, p.Module.goRun("run "+p.runPath()))
}

// runPath is the project for a go run that may work in the source folder.
func (p *project) runPath() string {
	if p.Module.Replace == "" {
		return "."
	}
	return quoteShell(p.Dir)
}

// installed tells whether the command is there under its name: not after a go run.
func installed() bool {
	_, err := exec.LookPath("wasmsandbox")
	return err == nil
}
