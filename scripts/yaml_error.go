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
	text := explainYAML(loadErr.Message, before, after)
	if text == "" {
		text = loadErr.Message
		if loadErr.ContextMsg != "" {
			text += " " + loadErr.ContextMsg
		}
	}
	return &syntaxError{where, "the file isn't YAML: " + text, err}
}

// explainYAML words common mistakes; "" is another one. Before and after are the
// line that the error is in.
func explainYAML(message, before, after string) string {
	indent := before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	switch {
	case strings.Contains(message, "tab character"), strings.Contains(indent, "\t"), strings.HasPrefix(after, "\t"):
		return "a tab; YAML indents with spaces"
	case strings.Contains(message, "unknown escape character"):
		return `a backslash in double quotes starts an escape, and this is none; use single quotes, as in '\.'`
	case strings.HasPrefix(message, "mapping values are not allowed"),
		strings.HasPrefix(message, "did not find expected ','") && strings.HasPrefix(after, ":"):
		return `a second colon; put text that has ": " in it in quotes`
	case strings.Contains(message, "cannot start any token") && after != "":
		_, size := utf8.DecodeRuneInString(after)
		return "text can't start with " + after[:size] + "; put it in quotes"
	default:
		return ""
	}
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
