package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"github.com/wasmsandbox/wasmsandbox/host/workspace"
)

// What a person is shown of a workspace at most.
const (
	mostFiles     = 200
	mostChanges   = 100
	mostDiffLines = 40       // of one file
	longestDiffed = 64 << 10 // bytes of a file whose changes are shown
)

// workspaceLines print the workspace for a person.
func (r *textReporter) workspaceLines(w *workspaceReport) {
	t := newTable(r.w)
	t.line("  " + r.style.strong("workspace ") + visible(w.Root))
	for i, f := range w.Files {
		if i == mostFiles {
			t.line(fmt.Sprintf("    … and %d more", len(w.Files)-i))
			break
		}
		size := ""
		if f.Kind == fileKind {
			size = byteSize(uint64(f.Size))
		}
		t.row("    "+f.Mode, size, fileName(f))
	}
	if len(w.Files) == 0 {
		t.line("    " + r.style.faint("no files"))
	}
	t.flush()
	r.changeLines(w.Changes)
}

// fileName shows what kind of file it is, too.
func fileName(f fileInfo) string {
	switch f.Kind {
	case directoryKind:
		return visible(f.Path) + "/"
	case symlinkKind:
		return visible(f.Path) + " -> " + visible(f.Target)
	default:
		return visible(f.Path)
	}
}

// changeLines print what has changed, in text files line by line.
func (r *textReporter) changeLines(changes []changeInfo) {
	if len(changes) == 0 {
		_, _ = io.WriteString(r.w, "  "+r.style.faint("no changes")+"\n")
		return
	}
	t := newTable(r.w)
	t.line("  " + r.style.strong("changes"))
	for i, c := range changes {
		if i == mostChanges {
			t.line(fmt.Sprintf("    … and %d more", len(changes)-i))
			break
		}
		t.row("    "+strings.Join(c.What, ", "), changedName(c))
		for _, line := range r.diffLines(&c.change) {
			t.line("        " + line)
		}
	}
	t.flush()
}

func changedName(c changeInfo) string {
	if c.change.What == workspace.Removed {
		return visible(c.Path)
	}
	f := newFileInfo(c.change.After)
	f.Path = c.Path
	return fileName(f)
}

// diffLines are the lines of a text file that have changed, with some around them.
func (r *textReporter) diffLines(c *workspace.Change) []string {
	if c.What&workspace.ContentChanged == 0 || !isShort(c.Before.Content) || !isShort(c.After.Content) {
		return nil
	}
	text := string(diff.Diff("", c.Before.Content, "", c.After.Content))
	_, text, _ = strings.Cut(text, "\n+++ ") // after the names
	_, text, _ = strings.Cut(text, "\n")
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	var shown []string
	for i, line := range lines {
		if i == mostDiffLines {
			return append(shown, fmt.Sprintf("… and %d more lines", len(lines)-i))
		}
		shown = append(shown, r.diffLine(line))
	}
	return shown
}

func (r *textReporter) diffLine(line string) string {
	text := cut(visible(line), longestCall+longestOutcome)
	switch {
	case strings.HasPrefix(line, "+"):
		return r.style.good(text)
	case strings.HasPrefix(line, "-"):
		return r.style.bad(text)
	case strings.HasPrefix(line, "@@"):
		return r.style.faint(text)
	default:
		return text
	}
}

// isShort reports whether it is text of which a person may want to see lines.
func isShort(content []byte) bool {
	return len(content) <= longestDiffed && utf8.Valid(content) && !strings.Contains(string(content), "\x00")
}
