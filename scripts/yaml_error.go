package scripts

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// yamlError says why a file isn't YAML, and for common mistakes what to do.
func yamlError(data []byte, err error) *syntaxError {
	loadErr, ok := errors.AsType[*yaml.LoadError](err)
	if !ok {
		return &syntaxError{position{1, 1}, "the file isn't YAML: " + err.Error(), err}
	}
	where := position{max(loadErr.Mark.Line, 1), max(loadErr.Mark.Column, 1)}
	before, after := lineAt(data, where)
	m := yamlMistake{
		data: data, position: where, before: before, after: after, message: loadErr.Message,
		context: loadErr.ContextMsg, start: position{loadErr.ContextMark.Line, loadErr.ContextMark.Column},
	}
	if m.start.line == 0 {
		m.start = where
	}
	where, text := m.explain()
	if text == "" {
		where, text = m.position, strings.TrimSpace(m.message+" "+m.context)
	}
	return &syntaxError{where, "the file isn't YAML: " + text, err}
}

// lineAt is the line of a place, up to the place and from it on.
func lineAt(data []byte, where position) (before, after string) {
	for range where.line - 1 {
		_, data, _ = bytes.Cut(data, []byte("\n"))
	}
	line, _, _ := bytes.Cut(data, []byte("\n"))
	offset := 0
	for range where.column - 1 {
		_, size := utf8.DecodeRune(line[offset:])
		offset += size
	}
	return string(line[:offset]), string(line[offset:])
}
