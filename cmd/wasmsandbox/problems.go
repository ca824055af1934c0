package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// A problemInfo is one thing that is wrong with a script or a file of calls.
type problemInfo struct {
	File    string `json:"file"`
	Line    int    `json:"line"`   // 0: of no line in particular
	Column  int    `json:"column"` // in characters
	Field   string `json:"field"`
	Step    *int   `json:"step"` // zero-based; null: of no step
	Reason  string `json:"reason,omitempty"`
	Message string `json:"message"`

	subject string // what the message is about, if it isn't the field
}

// problemsOf lists what an error of package scripts says; any other error is one
// problem of the file.
func problemsOf(file string, err error) []problemInfo {
	all, ok := errors.AsType[*scripts.Error](err)
	if !ok {
		return []problemInfo{{File: file, Message: err.Error()}}
	}
	list := make([]problemInfo, len(all.Problems))
	for i, p := range all.Problems {
		list[i] = problemInfo{
			File: p.File, Line: p.Line, Column: p.Column, Field: p.Field, Reason: string(p.Reason), Message: p.Message,
			subject: p.Subject(),
		}
		if p.Step >= 0 {
			list[i].Step = new(p.Step)
		}
		if p.Line == 0 && p.Err != nil && p.Message == p.Err.Error() {
			list[i].Message = withoutPath(p.Err).Error() // the file's name is there already
		}
	}
	return list
}

// place is "file:line:column".
func (p *problemInfo) place() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// mostProblems is how many problems of a file a person is shown who hasn't asked for them.
const mostProblems = 20

// printProblems prints problems with the lines they are in, but not too many. Those of the
// script itself are listed by validate.
func (a *app) printProblems(w io.Writer, script string, list []problemInfo) {
	style := a.palette(w)
	a.printFindings(w, style.bad("error:"), list[:min(len(list), mostProblems)])
	if len(list) <= mostProblems {
		return
	}
	file, more := list[mostProblems].File, strconv.Itoa(len(list)-mostProblems)+" more"
	if file == script {
		more += "; wasmsandbox validate lists all"
	}
	_, _ = fmt.Fprintf(w, "%s: %s %s\n", style.strong(visible(file)), style.bad("error:"), more)
}

// printFindings prints all of a list, with a word for what they are.
func (a *app) printFindings(w io.Writer, word string, list []problemInfo) {
	style := a.palette(w)
	lines := map[string][]string{}
	for i := range list {
		p := &list[i]
		_, _ = fmt.Fprintf(w, "%s: %s %s\n", style.strong(visible(p.place())), word,
			join(visible(cmp.Or(p.subject, p.Field)), indented(strings.TrimRight(p.Message, "\n"))))
		if p.Line == 0 {
			continue
		}
		if _, ok := lines[p.File]; !ok {
			lines[p.File] = readLines(p.File)
		}
		if source := lines[p.File]; p.Line <= len(source) {
			printExcerpt(w, style, p, source[p.Line-1])
		}
	}
}

// printExcerpt prints a line with a mark under the column.
func printExcerpt(w io.Writer, style palette, p *problemInfo, line string) {
	const widest = 100
	if line = strings.TrimRight(line, "\r\n"); visible(line) != line || !utf8.ValidString(line) || strings.TrimSpace(line) == "" {
		return // there is nothing to be seen
	}
	runes := []rune(line)
	column := min(max(p.Column-1, 0), len(runes))
	first := 0
	if column > widest*3/4 {
		first = column - widest/2
	}
	shown := strings.ReplaceAll(string(runes[first:min(len(runes), first+widest)]), "\t", " ")
	before := string(runes[first:column])
	number := strconv.Itoa(p.Line)
	bar := style.faint("|")
	_, _ = fmt.Fprintf(w, "  %s %s %s\n", style.faint(number), bar, strings.TrimRight(shown, " "))
	_, _ = fmt.Fprintf(w, "  %s %s %s%s\n", strings.Repeat(" ", len(number)), bar, strings.Repeat(" ", width(before)), style.bad("^"))
}

// readLines reads a script once more, to show lines of it. A file that can't be
// read has none.
func readLines(file string) []string {
	const longest = 64 << 20
	info, err := os.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	data, err := readFile(context.Background(), file, longest)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimPrefix(string(data), "\uFEFF"), "\n")
}
