package abi_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport are the packages that package abi may use itself. All are small in a
// guest.
var mayImport = []string{"math", "slices", "strconv", "strings", "time", "unicode/utf8"}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

func TestPackageImportsOnlySmallPackages(t *testing.T) {
	for _, imported := range goList(t, "-f", `{{join .Imports "\n"}}`, ".") {
		if !slices.Contains(mayImport, imported) {
			t.Errorf("package abi imports %s", imported)
		}
	}
}

func TestPackageReachesNeitherFmtNorReflectionNorAnotherModule(t *testing.T) {
	for _, dep := range goList(t, "-deps", ".") {
		first, _, _ := strings.Cut(dep, "/")
		switch {
		case slices.Contains([]string{"fmt", "reflect", "encoding/binary", "os"}, dep):
			t.Errorf("package abi reaches %s", dep)
		case strings.Contains(first, ".") && dep != "github.com/wasmsandbox/wasmsandbox/abi":
			t.Errorf("package abi reaches %s", dep)
		}
	}
}

func TestOnlyTestsUseTheGeneratedMessages(t *testing.T) {
	const generated = "github.com/wasmsandbox/wasmsandbox/abi/internal/abipb"
	for _, line := range goList(t, "-f", `{{.ImportPath}}{{range .Imports}}:{{.}}{{end}}`, "../...") {
		if imports := strings.Split(line, ":"); slices.Contains(imports[1:], generated) {
			t.Errorf("%s imports the generated messages", imports[0])
		}
	}
}
