package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

const newLong = `Make a folder with a guest, a script that uses it, and tests of the guest. NAME is
the folder: its last element begins with a letter, and has lower-case letters,
digits, - and _ only. Nothing that exists is overwritten.

A project in Go becomes a package of the Go module that it is in; elsewhere it gets
a go.mod of its own. In other languages the source of the guest SDK comes with the
project.`

func (a *app) newNew() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a guest with its script and tests",
		Long:  newLong,
		Example: `  wasmsandbox new greeter
  wasmsandbox new sandboxes/greeter --lang rust`,
		Args:              exactlyOne("NAME"),
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs),
	}
	lang := addChoice(cmd, false, "lang", "language of the guest", projectLanguageNames()...)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if args[0] == "" {
			return &usageHint{err: errors.New("NAME is empty"), command: cmd.CommandPath()}
		}
		return a.scaffold(cmd.Context(), args[0], projectLanguageOf(lang.value))
	}
	return cmd
}

func (a *app) scaffold(ctx context.Context, path string, language *projectLanguage) error {
	path = filepath.Clean(path)
	dir, err := scaffoldDir(path)
	if err != nil {
		return fail(exitUsage, "%w", err)
	}
	project, err := newProject(dir, language)
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
	a.printMissingTools(ctx, language)
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

func (a *app) printScaffold(path string, p *project, files []newFile) {
	style := a.palette(a.stdout)
	t := newTable(a.stdout)
	for _, name := range p.listed(files) {
		shown := filepath.Join(path, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			shown += string(filepath.Separator)
		}
		t.row(style.good("created"), shown)
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

// printMissingTools tells what has to be installed before the project can be built.
func (a *app) printMissingTools(ctx context.Context, language *projectLanguage) {
	if language.builtFrom == "" {
		return
	}
	if err := sourcebuild.Check(ctx, language.builtFrom, sourcebuild.Reactor); err != nil {
		_, _ = fmt.Fprintf(a.stdout, "\n%s %s\n", a.palette(a.stdout).bad("missing:"), indented(err.Error()))
	}
}

// listed are the files to be told of: the SDK is told of as its folder.
func (p *project) listed(files []newFile) []string {
	var names []string
	for _, f := range files {
		name := f.path
		if dir := p.Language.sdkDir; dir != "" && strings.HasPrefix(name, dir+"/") {
			name = dir + "/"
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// nextCommands are what to do with a project that was just made.
func (p *project) nextCommands(path string, installed bool) []string {
	commands := slices.Concat([]string{"cd " + quoteShell(path)}, p.prepare(), p.Language.testCommands())
	if installed {
		return append(commands, "wasmsandbox run .")
	}
	return append(commands, p.Module.goRun("run "+p.runPath()))
}

// prepare are the commands that come before the first test.
func (p *project) prepare() []string {
	if p.Language.isGo {
		return slices.Concat(p.Module.First(), p.Module.Next())
	}
	return p.Language.prepare
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
