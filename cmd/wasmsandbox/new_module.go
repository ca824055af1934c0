package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

// A goModule is the Go module that a new project is part of.
type goModule struct {
	File    string // of the module that is there; "" when the project gets its own
	Go      string // Go version of a new module
	Version string // of the host; "" when it isn't known
	Replace string // folder of the host's source; "" for a release, or when it isn't known

	hasHost bool // the module that is there is the host's, or requires it
}

func (m goModule) isNew() bool { return m.File == "" }

// QuotedReplace is Replace as go.mod wants it.
func (m goModule) QuotedReplace() string { return quoteModPath(m.Replace) }

// Next is what has to be run before the go command can build the project. go mod
// tidy takes the host's latest version when go.mod names none.
func (m goModule) Next() []string {
	switch {
	case m.hasHost:
		return nil
	case m.isNew() || m.Version == "" || m.Replace != "":
		return []string{"go mod tidy"}
	default:
		return []string{"go get " + modulePath + "@" + m.Version, "go mod tidy"}
	}
}

// First is what has to be run before Next, once: a module that is there has to be
// told where source is that no proxy has.
func (m goModule) First() []string {
	if m.hasHost || m.isNew() || m.Replace == "" {
		return nil
	}
	return []string{"go mod edit -replace " + quoteShell(modulePath+"="+m.Replace)}
}

// goRun runs this command without its being installed; goInstall installs it. The
// command is a package of the source folder, or one of a version.
func (m goModule) goRun(args string) string { return m.goCommand("run") + " " + args }

func (m goModule) goInstall() string { return m.goCommand("install") }

func (m goModule) goCommand(verb string) string {
	switch {
	case m.Replace != "":
		return "go " + verb + " -C " + quoteShell(m.Replace) + " ./cmd/wasmsandbox"
	case m.Version != "":
		return "go " + verb + " " + modulePath + "/cmd/wasmsandbox@" + m.Version
	default:
		return "go " + verb + " " + modulePath + "/cmd/wasmsandbox@latest"
	}
}

// moduleFor finds the module that a folder is in, or what a new one needs.
func moduleFor(dir string) (goModule, error) {
	m := goModule{Go: goVersion}
	build := buildVersion()
	if build.released {
		m.Version = build.Version
	} else if source := sourceDir(); source != "" {
		m.Version, m.Replace = "v0.0.0", source
	}
	file, content, err := findGoMod(dir)
	if err != nil {
		return goModule{}, err
	}
	m.File = file // "": the project gets a module of its own
	m.hasHost = mentionsHost.Match(content)
	return m, nil
}

// findGoMod looks for go.mod in a folder and those above it.
func findGoMod(dir string) (string, []byte, error) {
	for {
		file := filepath.Join(dir, "go.mod")
		content, err := os.ReadFile(file)
		if err == nil {
			return file, content, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !isNotDir(err) {
			return "", nil, pathError(file, err)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil, nil
		}
		dir = parent
	}
}

// mentionsHost finds the host's module in a go.mod, as its own or a required one.
var mentionsHost = regexp.MustCompile(`(?m)^\s*(module|require)?\s*"?` + regexp.QuoteMeta(modulePath) + `"?(\s|$)`)

// hostModule finds the module line of the host's own go.mod.
var hostModule = regexp.MustCompile(`(?m)^module\s+"?` + regexp.QuoteMeta(modulePath) + `"?\s*$`)

// sourceDir is the folder of the source that this command was built from, or "".
// A build with -trimpath doesn't tell.
func sourceDir() string {
	_, file, _, ok := runtime.Caller(0)
	if !ok || !filepath.IsAbs(file) {
		return ""
	}
	found, content, err := findGoMod(filepath.Dir(file))
	if err != nil || !hostModule.Match(content) {
		return ""
	}
	return filepath.Dir(found)
}

// goVersion is the language version that a new module asks for: that of the
// host's own go.mod.
const goVersion = "1.26.0"

var plainModPath = regexp.MustCompile(`^[A-Za-z0-9_./\\:+~@-]+$`)

// quoteModPath writes a path as go.mod wants it.
func quoteModPath(path string) string {
	if plainModPath.MatchString(path) {
		return path
	}
	return strconv.Quote(path)
}

var plainShellWord = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./:=+~@,-]*$`)

// quoteShell writes a word as a POSIX shell wants it. A path that begins with a
// dash is no flag then.
func quoteShell(word string) string {
	if strings.HasPrefix(word, "-") {
		word = "./" + word
	}
	if plainShellWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
