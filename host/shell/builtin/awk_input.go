package builtin

import (
	"bytes"
	"io"
	"regexp"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// An awkInput is the main input: files one after the other, each with an end.
type awkInput struct {
	run    *awkRun
	files  []string
	reader io.Reader
	begun  bool
}

func (in *awkInput) Read(p []byte) (int, error) {
	if err := in.run.c.Err(); err != nil {
		return 0, err
	}
	in.begun = true
	if in.reader == nil && !in.open() {
		return 0, io.EOF
	}
	n, err := in.reader.Read(p)
	if err == io.EOF && n > 0 {
		return n, nil
	}
	if err != nil {
		in.reader = nil
	}
	return n, err
}

func (in *awkInput) open() bool {
	if len(in.files) == 0 {
		return false
	}
	name := in.files[0]
	in.files = in.files[1:]
	reader, err := in.run.c.open(name)
	if err != nil {
		in.run.c.fail(awkFailed, "warning: command line argument `%s': cannot open file: %s", name, shell.ErrorText(err))
		return false
	}
	in.reader = reader
	return true
}

// skip leaves out what is left of the current file.
func (in *awkInput) skip() int {
	in.reader = nil
	return 0
}

// An awkReader gives the records of a file or a command, for getline.
type awkReader struct {
	content []byte
	regexes map[string]*regexp.Regexp
}

// next gives a record, which ends as the variable RS says.
func (r *awkReader) next(separator string) (string, bool, error) {
	if separator == "" {
		r.content = bytes.TrimLeft(r.content, "\n")
	}
	if len(r.content) == 0 {
		return "", false, nil
	}
	from, to := -1, -1
	switch {
	case separator == "":
		if from = bytes.Index(r.content, []byte("\n\n")); from >= 0 {
			to = from + 2
		}
	case len(separator) == 1:
		if from = bytes.IndexByte(r.content, separator[0]); from >= 0 {
			to = from + 1
		}
	default:
		regex := r.regexes[separator]
		if regex == nil {
			var err error
			if regex, err = regexp.Compile(separator); err != nil {
				return "", false, err
			}
			r.regexes = map[string]*regexp.Regexp{separator: regex}
		}
		if loc := regex.FindIndex(r.content[:min(len(r.content), maxAwkString+1)]); loc != nil && loc[1] > loc[0] {
			from, to = loc[0], loc[1]
		}
	}
	record := r.content
	if from < 0 {
		r.content = nil
		if separator == "" {
			record = bytes.TrimSuffix(record, []byte("\n"))
		}
	} else {
		record, r.content = record[:from], r.content[to:]
	}
	if len(record) > maxAwkString {
		return "", false, errAwkString
	}
	return strings.Clone(string(record)), true, nil
}
