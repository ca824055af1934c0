package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/guest/assemblyscript"
	"github.com/wasmsandbox/wasmsandbox/guest/c"
	"github.com/wasmsandbox/wasmsandbox/guest/js"
	"github.com/wasmsandbox/wasmsandbox/guest/rust"
	"github.com/wasmsandbox/wasmsandbox/guest/zig"
	"github.com/wasmsandbox/wasmsandbox/scripts/sourcebuild"
)

// A projectLanguage is one that new makes projects in.
type projectLanguage struct {
	name    string
	source  string   // the path in a project of what the script names as source
	prepare []string // commands that come before the first test
	test    []string // commands that test the guest without WebAssembly
	named   string   // a variable that may name the program of the commands
	without string   // a program in whose place the commands use the one after it
	instead string
	isGo    bool // it is part of a Go module

	builtFrom sourcebuild.Language // "": nothing has to be installed

	sdk    fs.FS  // the guest SDK's source; nil when a project gets it in another way
	sdkDir string // where a project has it
}

// projectLanguages are all of them, the default first.
var projectLanguages = []projectLanguage{
	{name: "go", source: "responder", test: []string{"go test ./..."}, isGo: true, builtFrom: sourcebuild.Go},
	{
		name: "assemblyscript", source: ".", prepare: []string{"npm install"}, test: []string{"npm test"},
		builtFrom: sourcebuild.AssemblyScript, sdk: assemblyscript.Files, sdkDir: "wasmsandbox",
	},
	{
		name: "c", source: ".", test: []string{"make test"}, builtFrom: sourcebuild.C,
		sdk: c.Files, sdkDir: "wasmsandbox",
	},
	{
		name: "js", source: "responder.js", sdk: js.Files, sdkDir: "wasmsandbox",
	},
	{
		name: "rust", source: ".", test: []string{"cargo test"}, builtFrom: sourcebuild.Rust,
		sdk: rust.Files, sdkDir: "wasmsandbox",
	},
	{
		name: "zig", source: ".", test: []string{"zig build test"}, named: "ZIG", without: "zig", instead: "python3 -m ziglang",
		builtFrom: sourcebuild.Zig, sdk: zig.Files, sdkDir: "sdk",
	},
}

// testCommands are those of test, with the programs that there are.
func (l *projectLanguage) testCommands() []string {
	if l.without == "" {
		return l.test
	}
	instead := l.instead
	if os.Getenv(l.named) != "" {
		instead = "$" + l.named
	} else if _, err := exec.LookPath(l.without); err == nil {
		return l.test
	}
	var commands []string
	for _, command := range l.test {
		if rest, ok := strings.CutPrefix(command, l.without+" "); ok {
			command = instead + " " + rest
		}
		commands = append(commands, command)
	}
	return commands
}

func projectLanguageNames() []string {
	var names []string
	for _, l := range projectLanguages {
		names = append(names, l.name)
	}
	return names
}

func projectLanguageOf(name string) *projectLanguage {
	for i := range projectLanguages {
		if projectLanguages[i].name == name {
			return &projectLanguages[i]
		}
	}
	panic("no projects are made in " + name)
}

// sdkFiles are the files of the SDK as a project has them.
func (l *projectLanguage) sdkFiles() (files []newFile, err error) {
	if l.sdk == nil {
		return nil, nil
	}
	err = fs.WalkDir(l.sdk, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(l.sdk, name)
		files = append(files, newFile{path: path.Join(l.sdkDir, name), content: string(content)})
		return err
	})
	return files, err
}
