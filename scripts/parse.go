package scripts

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// A syntaxError is why a file isn't a document. The rest of it can't be looked
// at, so there is one.
type syntaxError struct {
	position
	message string
	err     error
}

// parseDocument reads a file: JSON or YAML by its name, else by its first
// character.
func parseDocument(name string, data []byte) (*node, *syntaxError) {
	if len(data) > maxFile {
		return nil, &syntaxError{position{1, 1}, fmt.Sprintf("the file is longer than %d MiB", maxFile>>20), nil}
	}
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	if err := checkText(data); err != nil {
		return nil, err
	}
	if err := checkParts(data); err != nil {
		return nil, err
	}
	parse := parseYAML
	if isJSON(name, data) {
		parse = parseJSON
	}
	document, err := parse(data)
	if err != nil {
		return nil, err
	}
	if large := document.unsigned(document.get("seed")); large != nil {
		return nil, &syntaxError{large.position, notANumber, nil}
	}
	return document, nil
}

func isJSON(name string, data []byte) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".json":
		return true
	case ".yaml", ".yml":
		return false
	default:
		return bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte(`{"`))
	}
}

// checkParts refuses a file of so many values that reading it takes gigabytes.
func checkParts(data []byte) *syntaxError {
	parts := 0
	for _, mark := range []string{"\n", ",", ":", "[", "{"} {
		parts += bytes.Count(data, []byte(mark))
	}
	if parts <= maxParts {
		return nil
	}
	return &syntaxError{position{1, 1}, fmt.Sprintf("the file has %d lines, commas, colons and brackets, the most is %d: "+
		"what is large belongs into files of its own, and calls into --calls", parts, maxParts), nil}
}

// checkText finds what makes a file binary.
func checkText(data []byte) *syntaxError {
	bad := bytes.IndexByte(data, 0)
	if bad < 0 && utf8.Valid(data) {
		return nil
	}
	for i := 0; i < len(data) && (bad < 0 || i < bad); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			bad = i
			break
		}
		i += size
	}
	return &syntaxError{positionOf(data, bad), "the file isn't text in UTF-8", nil}
}

// positionOf is the place of an offset.
func positionOf(data []byte, offset int) position {
	before := data[:min(offset, len(data))]
	start := bytes.LastIndexByte(before, '\n') + 1
	return position{bytes.Count(before, []byte("\n")) + 1, utf8.RuneCount(before[start:]) + 1}
}

func duplicateKey(where position, key string, line int) *syntaxError {
	return &syntaxError{where, fmt.Sprintf("the map has the key %q twice: first in line %d", key, line), nil}
}
