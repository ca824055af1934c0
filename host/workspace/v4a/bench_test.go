package v4a_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/workspace/v4a"
)

const (
	benchLines = 100_000
	benchHunks = 1_000
)

// program is a text whose lines are all different, and as long as those of programs.
func program() []string {
	lines := make([]string, benchLines)
	for i := range lines {
		lines[i] = fmt.Sprintf("\tvalue%d := compute(%d, options)", i, i*7)
	}
	return lines
}

// everyHunk makes a diff of hunks that are evenly spread, each with three lines
// around the one that it changes. The function changes what is looked for.
func everyHunk(lines []string, change func(line string) string) string {
	var b strings.Builder
	for k := range benchHunks {
		at := k * (benchLines / benchHunks)
		b.WriteString("@@\n")
		for i, line := range lines[at : at+7] {
			op := " "
			if i == 3 {
				op = "-"
			}
			b.WriteString(op + change(line) + "\n")
		}
		b.WriteString("+\tchanged()\n")
	}
	return b.String()
}

func same(line string) string { return line }

// BenchmarkApply is 1 000 hunks on 100 000 lines. The hostile ones are made so that
// a plain search would read all of the file for each hunk.
func BenchmarkApply(b *testing.B) {
	lines := program()
	file := strings.Join(lines, "\n") + "\n"
	for _, bench := range []struct {
		name, file, diff string
	}{
		{"as it is", file, everyHunk(lines, same)},
		{"without its indentation", file, everyHunk(lines, strings.TrimSpace)},
		{"with CRLF", strings.ReplaceAll(file, "\n", "\r\n"), everyHunk(lines, same)},
		{"headers that are not found", file, strings.ReplaceAll(everyHunk(lines, same), "@@", "@@ func nowhere()")},
		{"hostile: lines that are there, but not together", scattered(), "@@\n-x0\n y\n" + manyHunks("@@\n-x%d\n y\n")},
		{"hostile: lines that repeat", repeating(), strings.Repeat("@@\n"+strings.Repeat(" a\n", 20)+"-b\n", benchHunks)},
		{"hostile: all at the end", atTheEnd(), strings.Repeat("@@\n-b\n", benchHunks)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			benchmarkApply(b, bench.file, bench.diff, nil)
		})
	}
	b.Run("hostile: not found", func(b *testing.B) {
		benchmarkApply(b, strings.Repeat("a\n", benchLines), strings.Repeat(" a\n", benchLines/2)+"-b\n", v4a.InvalidContext)
	})
	b.Run("one hunk on 1 000 lines", func(b *testing.B) {
		benchmarkApply(b, strings.Join(lines[:1000], "\n"), "@@\n "+lines[500]+"\n-"+lines[501]+"\n+changed()\n", nil)
	})
}

func benchmarkApply(b *testing.B, file, diff string, want error) {
	b.ReportAllocs()
	b.SetBytes(int64(len(file) + len(diff)))
	for b.Loop() {
		if _, err := v4a.Apply(context.Background(), file, diff); !errors.Is(err, want) {
			b.Fatal(err)
		}
	}
}

// manyHunks is a hunk for each number.
func manyHunks(format string) string {
	var b strings.Builder
	for k := range benchHunks {
		fmt.Fprintf(&b, format, k)
	}
	return b.String()
}

// scattered has pairs of lines at its start that are indented, and the same lines
// without their partners at its end.
func scattered() string {
	return "\tx0\ny\n" + manyHunks("\tx%d\ny\n") + strings.Repeat("y\nz\n", benchLines/2-2*benchHunks) + manyHunks("x%d\nz\n") + "y\n"
}

// repeating has indented places for hunks at its start, and then lines that look as
// if another place began at each.
func repeating() string {
	places := strings.Repeat(strings.Repeat("a\n", 20)+" b\n", benchHunks)
	return places + strings.Repeat("a\n", benchLines-22*benchHunks) + "c\nb\n"
}

func atTheEnd() string {
	return strings.Repeat("a\n", benchLines-benchHunks) + strings.Repeat("\t b \n", benchHunks)
}

// BenchmarkParse is the text and the JSON form of 1 000 operations.
func BenchmarkParse(b *testing.B) {
	hunk := "@@ func main() {\n \ta := 1\n-\tb := 2\n+\tb := 3\n"
	var text, json []string
	for k := range benchHunks {
		text = append(text, fmt.Sprintf("*** Update File: src/%d.go\n%s", k, hunk))
		json = append(json, fmt.Sprintf(`{"type":"update_file","path":"src/%d.go","diff":%q}`, k, hunk))
	}
	for _, bench := range []struct{ name, patch string }{
		{"text", "*** Begin Patch\n" + strings.Join(text, "") + "*** End Patch\n"},
		{"JSON", "[" + strings.Join(json, ",") + "]"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(bench.patch)))
			for b.Loop() {
				if _, err := v4a.Parse(bench.patch); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
