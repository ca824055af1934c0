package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const parityFile = "../docs/parity.md"

// statements are how many there are of each kind.
var statements = []struct {
	prefix string
	count  int
}{
	{"S1.", 19}, {"S2.", 29}, {"S3.", 22}, {"S4.", 12}, {"S5.", 32}, {"S6.", 94}, {"S7.", 17}, {"T", 23},
}

var (
	// A citation is "`TestName/sub test` in path/name_test.go", on one line or two.
	citation = regexp.MustCompile("`((?:Test|Fuzz)\\w*)(?:/([^`]+))?`(?:\\s+in\\s+([\\w/]+_test\\.go))?")
	row      = regexp.MustCompile(`(?m)^\| ((?:S|T)[\d.]+) \| (.*) \| (.*) \|$`)
)

// Every statement has one row, and every row a test or a reason.
func TestParityListsEveryStatementOnce(t *testing.T) {
	page := readPage(t)
	seen := map[string]int{}
	for _, r := range row.FindAllStringSubmatch(page, -1) {
		number, what, here := r[1], strings.TrimSpace(r[2]), strings.TrimSpace(r[3])
		seen[number]++
		cited := citation.MatchString(here)
		none := strings.HasPrefix(here, "No analogue in Go, because ")
		switch {
		case what == "" || here == "":
			t.Errorf("%s: a cell is empty", number)
		case strings.HasPrefix(here, "Differs on purpose, because ") && !cited:
			t.Errorf("%s: no test pins the difference", number)
		case !cited && !none:
			t.Errorf("%s: neither a test nor a reason: %q", number, here)
		}
	}
	for _, s := range statements {
		for i := 1; i <= s.count; i++ {
			number := fmt.Sprint(s.prefix, i)
			if seen[number] != 1 {
				t.Errorf("%s has %d rows", number, seen[number])
			}
			delete(seen, number)
		}
	}
	for number := range seen {
		t.Errorf("there is no statement %s", number)
	}
	if rows := strings.Count(page, "\n| S") + strings.Count(page, "\n| T"); rows != len(row.FindAllString(page, -1)) {
		t.Error("a row is malformed")
	}
}

// Every test that is cited exists in the file named, and so does its sub-test: as
// a text in the source, or as a file in testdata.
func TestParityCitesTestsThatExist(t *testing.T) {
	for _, c := range citation.FindAllStringSubmatch(readPage(t), -1) {
		name, sub, file := c[1], c[2], c[3]
		if file == "" {
			t.Errorf("%s: no file", c[0])
			continue
		}
		source, err := os.ReadFile(filepath.Join("..", file))
		if err != nil {
			t.Error(err)
			continue
		}
		if !strings.Contains(string(source), "\nfunc "+name+"(") {
			t.Errorf("%s has no %s", file, name)
		}
		files, _ := filepath.Glob(filepath.Join("..", filepath.Dir(file), "testdata", "*", sub+".*"))
		if sub != "" && !strings.Contains(string(source), `"`+sub+`"`) && len(files) == 0 {
			t.Errorf("%s has no sub-test %q", file, sub)
		}
	}
}

// Every statement about the scripted session is cited by one of its tests.
func TestTestsCiteTheirStatements(t *testing.T) {
	for _, r := range row.FindAllStringSubmatch(readPage(t), -1) {
		number, here := r[1], r[3]
		if number < "S1" || number > "S6" { // what comes after is of the base session
			continue
		}
		tests := citation.FindAllStringSubmatch(here, -1)
		cites := regexp.MustCompile(regexp.QuoteMeta(number) + `\b`)
		if len(tests) > 0 && !slices.ContainsFunc(tests, func(c []string) bool { return cites.MatchString(declaration(t, c[1], c[3])) }) {
			t.Errorf("%s: none of its tests cites it", number)
		}
	}
}

// declaration is the source of a test from the end of what comes before it.
func declaration(t *testing.T, name, file string) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Fatal(err)
	}
	before, after, _ := strings.Cut(string(source), "\nfunc "+name+"(")
	body, _, _ := strings.Cut(after, "\n}\n")
	return before[max(0, strings.LastIndex(before, "\n}\n")):] + body
}

func readPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile(parityFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}
