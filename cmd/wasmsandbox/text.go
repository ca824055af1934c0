package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A table prints rows with aligned columns, two spaces apart. Escape sequences
// of colours take no room.
type table struct {
	w    io.Writer
	rows [][]string
}

func newTable(w io.Writer) *table { return &table{w: w} }

// row adds a row, unless all of its cells after the first are empty. Further
// lines of the last cell are aligned with its first.
func (t *table) row(cells ...string) {
	if len(cells) > 1 && strings.Join(cells[1:], "") == "" {
		return
	}
	t.rows = append(t.rows, cells)
}

// line adds a line that has no columns.
func (t *table) line(text string) { t.rows = append(t.rows, []string{text}) }

func (t *table) flush() {
	var widths []int
	for _, cells := range t.rows {
		for i, cell := range cells[:len(cells)-1] {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width(cell))
		}
	}
	for _, cells := range t.rows {
		_, _ = fmt.Fprintln(t.w, strings.TrimRight(alignRow(cells, widths), " "))
	}
	t.rows = nil
}

func alignRow(cells []string, widths []int) string {
	var b strings.Builder
	indent := 0
	for i, cell := range cells[:len(cells)-1] {
		b.WriteString(cell)
		b.WriteString(strings.Repeat(" ", widths[i]-width(cell)+2))
		indent += widths[i] + 2
	}
	last := cells[len(cells)-1]
	b.WriteString(strings.ReplaceAll(last, "\n", "\n"+strings.Repeat(" ", indent)))
	return b.String()
}

var escapes = regexp.MustCompile("\x1b\\[[0-9;]*m")

func width(cell string) int { return utf8.RuneCountInString(escapes.ReplaceAllString(cell, "")) }

// wrap breaks a text after semicolons, where the host's texts go on with what to
// do.
func wrap(text string) string { return strings.ReplaceAll(text, "; ", ";\n") }

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// awaitFile is readFile until the context ends, as for a named pipe.
func awaitFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	return await(ctx, 0, func() ([]byte, error) { return readFile(ctx, path, limit) })
}

// readFile reads a regular file, or another that ends, up to a limit.
func readFile(ctx context.Context, path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, pathError(path, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, &folderError{path}
	}
	data, err := io.ReadAll(io.LimitReader(readUntil(ctx, f), limit+1))
	if err != nil {
		return nil, pathError(path, err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%s is longer than %s", path, byteSize(uint64(limit)))
	}
	return data, nil
}

// A folderError is a folder in the place of a file to read.
type folderError struct{ path string }

func (e *folderError) Error() string { return e.path + ": is a folder, and a file is wanted" }

// pathError puts the path first, and leaves out the system call.
func pathError(path string, err error) error { return fmt.Errorf("%s: %w", path, withoutPath(err)) }

// withoutPath is what went wrong with a file.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
