package builtin_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/internal/endingctx"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// newTextTree has texts that are as many lines, fields or matches.
func newTextTree(t *testing.T) *workspace.Tree {
	tree := newTree(t)
	for name, content := range map[string]string{
		"lines":  strings.Repeat("\n", 1<<18),
		"fields": strings.Repeat(":", 1<<17) + "\n" + strings.Repeat(":", 1<<17),
		"words":  strings.Repeat("a ", 1<<17),
		"as":     strings.Repeat("a", 1<<17),
	} {
		if err := tree.WriteFile(name, []byte(content), 0); err != nil {
			t.Fatal(err)
		}
	}
	return tree
}

var textCommands = []string{
	"sort lines", "sort -u lines", "sort -t : -k 9999 fields", "uniq lines", "wc lines", "wc words", "tac lines", "grep -v x lines",
	"grep -B 1 -m 1 x lines", "cut -f1 lines", "cut -d : -f2- fields", "rev lines", "nl lines", "cat -A lines",
	"paste lines", "paste -s lines", "paste lines fields", "base64 lines", "base64 -d lines", "base64 -w 1 lines",
	"head -n -200000 lines", "tail -n 200000 lines", "tail -n +200000 lines",
}

// runTool runs one utility on a tree.
func runTool(ctx context.Context, tree *workspace.Tree, out io.Writer, line string) (int, error) {
	args := strings.Fields(line)
	return builtin.Tools()[args[0]](ctx, shell.Process{
		Args: args, Files: tree, Dir: "/workspace", Stdin: strings.NewReader(""), Stdout: out, Stderr: out,
	})
}

func TestALineTakesLittleMemory(t *testing.T) {
	tree := newTextTree(t)
	for _, line := range textCommands {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := runTool(t.Context(), tree, io.Discard, line)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 4<<20 || err != nil {
			t.Errorf("%s: took %d MiB of memory, %v", line, used>>20, err)
		}
	}
}

func TestMoreLinesThanAreKeptAreRefused(t *testing.T) {
	tree := newTree(t)
	if err := tree.WriteFile("lines", bytes.Repeat([]byte("\n"), 1<<22+1), 0); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"sort lines":        "sort: memory exhausted\n",
		"sort lines fruit":  "sort: memory exhausted\n",
		"diff lines fruit":  "diff: memory exhausted\n",
		"grep -f lines as":  "grep: the patterns are too long\n",
		"diff -q lines as":  "diff: as: No such file or directory\n",
		"diff lines lines":  "",
		"diff -q as fruit":  "diff: as: No such file or directory\n",
		"sort -m as":        "sort: as: No such file or directory\n",
		"cmp lines numbers": "lines numbers differ: char 1, line 1\n",
	} {
		var out bytes.Buffer
		code, err := runTool(t.Context(), tree, &out, line)
		if out.String() != want || want != "" && code == 0 || err != nil {
			t.Errorf("%s: got %d, %.200q, %v", line, code, &out, err)
		}
	}
}

func TestUtilitiesLookAtTheContextBetweenLines(t *testing.T) {
	tree := newTextTree(t)
	for _, line := range append([]string{"grep -o a as", "grep -o [ab] as", "rev as"}, textCommands...) {
		_, err := runTool(endingctx.After(t.Context(), 2), tree, io.Discard, line)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", line, err)
		}
	}
}

func TestChmodChangesNothingMoreOnceTheContextEnded(t *testing.T) {
	tree := newTree(t)
	if _, err := runTool(endingctx.After(t.Context(), 2), tree, io.Discard, "chmod -R 700 src"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if info, err := tree.Stat("src/lib/a.py"); err != nil || info.Mode.Perm() == 0o700 {
		t.Errorf("got %v, %v", info.Mode, err)
	}
}

// What is too large is told of: a part of it would be taken for all.
func TestFilesThatAreTooLargeAreNotCut(t *testing.T) {
	tree := newTree(t)
	if err := tree.WriteFile("large", make([]byte, 256<<20+1), 0); err != nil { // which nothing reads, so it takes no memory
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"tail -n 1 large":  "tail: error reading 'large': File too large\n",
		"tail -c 1 large":  "tail: error reading 'large': File too large\n",
		"head -n -1 large": "head: error reading 'large': File too large\n",
		"cat -A large":     "cat: large: File too large\n",
		"sort large":       "sort: large: File too large\n",
		"paste large":      "paste: large: File too large\n",
	} {
		var out bytes.Buffer
		code, err := runTool(t.Context(), tree, &out, line)
		if out.String() != want || code == 0 || err != nil {
			t.Errorf("%s: got %d, %.200q, %v", line, code, &out, err)
		}
	}
}

func TestSortLeavesAFileWhoseNewContentDoesNotFit(t *testing.T) {
	tree := workspace.New(workspace.Config{Limits: workspace.Limits{Bytes: 3}})
	if err := tree.WriteFile("f", []byte("b\na"), 0); err != nil {
		t.Fatal(err)
	}
	code, err := runTool(t.Context(), tree, io.Discard, "sort -o f f")
	content, _ := tree.ReadFile("f")
	if code != 2 || err != nil || string(content) != "b\na" {
		t.Errorf("got %d, %v, and the file %q", code, err, content)
	}
}

func TestWhatCannotBePrintedOrKeptIsRefused(t *testing.T) {
	for script, want := range map[string]string{
		`seq -f %1000000000g 1`:                                      "seq: format '%1000000000g' is too wide\n",
		`seq -f %.99999999999999999999g 1`:                           "seq: format '%.99999999999999999999g' is too wide\n",
		`awk 'BEGIN{printf "%1000000000d\n", 1}'`:                    "awk: the width is too large\n",
		`awk 'BEGIN{printf "%*d\n", 1000000000, 1}'`:                 "awk: the width is too large\n",
		`awk 'BEGIN{printf "%s %% %.*f\n", "x", 1000000000, 1}'`:     "awk: the width is too large\n",
		`awk 'BEGIN{f = "%1000000000d"; print sprintf(f, 1)}'`:       "awk: the width is too large\n",
		`awk 'BEGIN{f = "%3d|%*d|%%|%s\n"; printf f, 1, 2, 3, "x"}'`: "  1| 3|%|x\n",
		`awk 'BEGIN{printf("%-*s|%.*f\n", 3, "x", 1, 2.25)}'`:        "x  |2.2\n",
		`touch -d 9999-12-31 new; echo $?; ls new`:                   "touch: invalid date format '9999-12-31'\n1\nls: cannot access 'new': No such file or directory\n",
		`touch -d 1600-01-01 new; echo $?`:                           "touch: invalid date format '1600-01-01'\n1\n",
		`date -d '1048576 weeks' +%F; echo $?`:                       "date: invalid date '1048576 weeks'\n1\n",
		`touch -d 2262-04-11 new; stat -c %Y new`:                    "9223286400\n",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, script); out != want || err != nil {
			t.Errorf("%s: got %.200q, %v", script, out, err)
		}
	}
}
