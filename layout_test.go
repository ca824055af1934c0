// Package wasmsandbox_test has the tests of the project as a whole.
package wasmsandbox_test

import (
	"cmp"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	guide = "CONTRIBUTING.md"
	ours  = "github.com/wasmsandbox/wasmsandbox/"
)

// The table of folders in the guide says of each package which others of ours it
// imports: a new import, and a new package, has to be written down there.
func TestTheTableOfFoldersIsThatOfTheImports(t *testing.T) {
	table, imports := readLayout(t), readImports(t)
	found := make(map[string]map[string]bool) // imports by the row's name
	for _, folder := range slices.Sorted(maps.Keys(imports)) {
		name := table.rowOf(folder)
		if name == "" {
			t.Errorf("%s has no row for %s. It is:\n| `%[2]s` | what lives there | %s |", guide, folder, cell(table.namesOf(imports[folder])))
			continue
		}
		if found[name] == nil {
			found[name] = make(map[string]bool)
		}
		maps.Copy(found[name], imports[folder])
	}
	for name, row := range table {
		if info, err := os.Stat(filepath.FromSlash(name)); err != nil || !info.IsDir() {
			t.Errorf("%s has a row for %s, which is no folder", guide, name)
			continue
		}
		got := table.namesOf(found[name])
		got = slices.DeleteFunc(got, func(n string) bool { return n == name })
		if !slices.Equal(got, row.imports) {
			t.Errorf("in %s the row for %s says\n| %s |\nbut what it imports, tests aside, is\n| %s |", guide, name, cell(row.imports), cell(got))
		}
	}
}

// A layout is the table of folders, by their names.
type layout map[string]row

// A row is what the table says of a folder.
type row struct {
	below   bool     // it is also for the folders below that have no row
	imports []string // names of folders with rows, sorted
}

// rowOf is the name of the row that a folder belongs to, or "".
func (l layout) rowOf(folder string) string {
	if _, ok := l[folder]; ok {
		return folder
	}
	for parent := path.Dir(folder); parent != "."; parent = path.Dir(parent) {
		if r, ok := l[parent]; ok {
			if r.below {
				return parent
			}
			return ""
		}
	}
	return ""
}

// namesOf are the rows of some folders, sorted; a folder without one is there itself.
func (l layout) namesOf(folders map[string]bool) []string {
	names := make(map[string]bool, len(folders))
	for folder := range folders {
		names[cmp.Or(l.rowOf(folder), folder)] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// cell is the last one of a row.
func cell(imports []string) string {
	if len(imports) == 0 {
		return "nothing of ours"
	}
	return "`" + strings.Join(imports, "`, `") + "`"
}

var quoted = regexp.MustCompile("`([^`]+)`")

// readLayout reads the only table of the guide whose rows have three cells.
func readLayout(t *testing.T) layout {
	t.Helper()
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	table := make(layout)
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || !strings.HasPrefix(strings.TrimSpace(cells[1]), "`") {
			continue
		}
		var r row
		for _, name := range quoted.FindAllStringSubmatch(cells[3], -1) {
			r.imports = append(r.imports, name[1])
		}
		slices.Sort(r.imports)
		for _, name := range quoted.FindAllStringSubmatch(cells[1], -1) {
			folder, below := strings.CutSuffix(name[1], "/")
			if _, twice := table[folder]; twice {
				t.Errorf("%s has two rows for %s", guide, folder)
			}
			table[folder] = row{below, r.imports}
		}
	}
	if len(table) == 0 {
		t.Fatalf("%s has no table of folders", guide)
	}
	return table
}

// readImports finds all folders with Go files, and which others each imports outside
// of tests, whatever it is built for. As the go command does, it leaves out what is
// another module or only for tests.
func readImports(t *testing.T) map[string]map[string]bool {
	t.Helper()
	imports := make(map[string]map[string]bool)
	err := filepath.WalkDir(".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || file == "." {
			return err
		}
		file = filepath.ToSlash(file)
		if entry.IsDir() {
			_, err := os.Stat(filepath.Join(file, "go.mod"))
			if err == nil || isLeftOut(file) {
				return filepath.SkipDir
			}
			return nil
		}
		folder := path.Dir(file)
		if path.Ext(file) != ".go" || folder == "." {
			return nil
		}
		if imports[folder] == nil {
			imports[folder] = make(map[string]bool)
		}
		if strings.HasSuffix(file, "_test.go") {
			return nil
		}
		return addImports(imports[folder], file)
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

func isLeftOut(folder string) bool {
	name := path.Base(folder)
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "node_modules" ||
		name == "testdata" && folder != "testdata" // which other packages import
}

// addImports adds the folders of ours that a file imports.
func addImports(folders map[string]bool, file string) error {
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.FromSlash(file), nil, parser.ImportsOnly)
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		if folder, ok := strings.CutPrefix(imported, ours); ok {
			folders[folder] = true
		}
	}
	return nil
}
