package sourcebuild

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A DetectError says why the language of a folder can't be told.
type DetectError struct {
	Dir   string
	Found []Language // more than one, or none
}

func (e *DetectError) Error() string {
	if len(e.Found) > 0 {
		return fmt.Sprintf("it has source in %s: say which is meant, with lang in a script and --lang on the command line",
			names(e.Found, "and"))
	}
	var b strings.Builder
	b.WriteString("it has no source that can be built; looked for are")
	for _, t := range toolchains {
		fmt.Fprintf(&b, "\n\t%s (%s)", t.signs, t.title)
	}
	b.WriteString("\nJavaScript isn't built: name the .js file")
	return b.String()
}

// Detect finds out which language the source in a folder is in. It looks at the
// folder itself, and not below it. The error is a *[DetectError], or one of reading
// the folder.
func Detect(dir string) (Language, error) {
	f, err := openFolder(dir)
	if err != nil {
		return "", err
	}
	var found []Language
	for _, t := range toolchains {
		if t.known(f) {
			found = append(found, t.language)
		}
	}
	if f.err != nil {
		return "", f.err
	}
	if len(found) != 1 {
		return "", &DetectError{Dir: dir, Found: found}
	}
	return found[0], nil
}

// A folder is what is in a folder of source, by which it is known.
type folder struct {
	dir   string
	files []string // names of the regular files, ordered
	err   error    // the first of reading a file
}

func openFolder(dir string) (*folder, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	f := &folder{dir: dir}
	for _, e := range entries {
		info, err := os.Stat(filepath.Join(dir, e.Name())) // links count as what they lead to
		if err == nil && info.Mode().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			f.files = append(f.files, e.Name())
		}
	}
	return f, nil
}

func (f *folder) has(name string) bool { return slices.Contains(f.files, name) }

func (f *folder) hasSuffix(suffix string) bool {
	return slices.ContainsFunc(f.files, func(name string) bool { return strings.HasSuffix(name, suffix) })
}

func (f *folder) isGo() bool   { return f.has("go.mod") || f.hasSuffix(".go") }
func (f *folder) isC() bool    { return f.hasSuffix(".c") }
func (f *folder) isRust() bool { return f.has("Cargo.toml") }
func (f *folder) isZig() bool  { return f.has("build.zig") }

// isAssemblyScript is so for the compiler's settings, and for a package that uses
// the compiler.
func (f *folder) isAssemblyScript() bool {
	if f.has("asconfig.json") {
		return true
	}
	if !f.has("package.json") {
		return false
	}
	data, err := os.ReadFile(filepath.Join(f.dir, "package.json"))
	if err != nil {
		f.fail(err)
		return false
	}
	var p struct{ Dependencies, DevDependencies map[string]any }
	if err := json.Unmarshal(data, &p); err != nil {
		f.fail(fmt.Errorf("package.json: %w", err))
		return false
	}
	return p.Dependencies["assemblyscript"] != nil || p.DevDependencies["assemblyscript"] != nil
}

func (f *folder) fail(err error) {
	if f.err == nil && !errors.Is(err, fs.ErrNotExist) {
		f.err = err
	}
}
