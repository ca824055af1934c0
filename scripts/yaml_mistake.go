package scripts

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// A yamlMistake is where a file stops being YAML, and what the library says of it.
type yamlMistake struct {
	position
	data          []byte
	before, after string // the line that it is in
	message       string
	context       string   // what was being read
	start         position // of what was being read
}

const secondColon = `a second colon; put text that has ": " in it in quotes`

// explain words common mistakes, and says where they were made; "" is another one.
func (m *yamlMistake) explain() (where position, text string) {
	indent := m.before[:len(m.before)-len(strings.TrimLeft(m.before, " \t"))]
	switch {
	case strings.Contains(m.message, "tab character"), strings.Contains(indent, "\t"), strings.HasPrefix(m.after, "\t"):
		return m.position, "a tab; YAML indents with spaces"
	case strings.Contains(m.message, "unknown escape character"), strings.Contains(m.message, "hexadecimal number"):
		return m.position, `a backslash in double quotes starts an escape, and this is none; use single quotes, as in '\.'`
	case strings.HasPrefix(m.message, "mapping values are not allowed"):
		return m.colon()
	case strings.Contains(m.message, "cannot start any token") && m.after != "":
		return m.position, "text can't start with " + m.first() + "; put it in quotes"
	case m.context == "while scanning an alias", m.context == "while scanning an anchor":
		_, m.after = lineAt(m.data, m.start)
		return m.start, "text can't start with " + m.first() + "; put it in quotes"
	case strings.HasPrefix(m.message, "unknown anchor") && strings.HasPrefix(m.after, "*"):
		name := strings.TrimSuffix(strings.TrimPrefix(m.message, "unknown anchor '"), "' referenced")
		return m.position, "text can't start with *; put it in quotes (as an alias it has no anchor: &" + name + " is missing)"
	case m.context == "while scanning a quoted scalar" && strings.HasPrefix(m.message, "found unexpected "): // an end
		return m.start, "the quotes that start here have no end"
	case strings.HasPrefix(m.message, "could not find expected ':'"):
		return m.name()
	case strings.HasPrefix(m.message, "did not find expected '-'"):
		return m.position, `the list goes on here, but not with "- "; indent what is part of the item above like its other lines`
	case strings.HasPrefix(m.message, "did not find expected key"):
		return m.key()
	case strings.HasPrefix(m.message, "did not find expected ','"):
		return m.comma()
	case strings.HasPrefix(m.message, "did not find expected node content") && m.after != "":
		return m.position, m.noValue()
	case strings.HasPrefix(m.message, "did not find expected node content") && m.context == "while parsing a flow node":
		return m.position, "the file ends within brackets, where a value should be"
	case strings.HasPrefix(m.message, "did not find expected <document start>"):
		line, above := m.lineAbove(m.line)
		if column, text := missingAfterName(above); text != "" {
			return position{line, column}, text
		}
		return m.position, "something comes after the end of the document"
	default:
		return m.position, ""
	}
}

// first is the character that the mistake is at.
func (m *yamlMistake) first() string {
	_, size := utf8.DecodeRuneInString(m.after)
	return m.after[:size]
}

// colon explains a colon that makes a key of what can't be one. If the line has no other,
// it is the line above that is wrong.
func (m *yamlMistake) colon() (position, string) {
	if where, text := m.bracket(); text != "" {
		return where, text
	}
	line, above := m.lineAbove(m.line)
	if line == 0 || strings.Contains(m.before, ": ") {
		return m.position, secondColon
	}
	column, text := missingAfterName(above)
	switch {
	case text != "" && !m.goesOn(line, above):
		return position{line, column}, text
	case indentOf(m.before) > indentOf(above) && strings.Contains(above, ": "):
		return position{m.line, indentOf(m.before) + 1},
			`the line is indented further than the one above, and so goes on with its text; put text that has ": " in it in quotes`
	default:
		return m.position, fmt.Sprintf(`a second colon, or none in line %d; put text that has ": " in it in quotes`, line)
	}
}

// name explains what is read as a key, but has no colon.
func (m *yamlMistake) name() (position, string) {
	before, after := lineAt(m.data, m.start)
	if column, text := missingAfterName(before + after); text != "" {
		return position{m.start.line, column}, text
	}
	return m.start, "a colon is missing in this line"
}

// key explains what stands where a map goes on.
func (m *yamlMistake) key() (position, string) {
	where, text := m.bracket()
	switch {
	case text != "":
		return where, text
	case strings.TrimSpace(m.before) != "":
		if where, text := m.quotes(); text != "" {
			return where, text
		}
		return m.position, "something comes after the end of a value; put the whole in quotes"
	case m.column != m.start.column:
		return m.position, fmt.Sprintf("the indentation is wrong; the keys of the map that starts in line %d are at column %d",
			m.start.line, m.start.column)
	case strings.HasPrefix(m.after, "- "):
		return m.position, fmt.Sprintf("an item of a list, where the map that starts in line %d goes on", m.start.line)
	default:
		return m.position, ""
	}
}

// comma explains what stands where a list or map in brackets goes on.
func (m *yamlMistake) comma() (position, string) {
	_, opened := lineAt(m.data, m.start)
	if opened == "" || opened[0] != '[' && opened[0] != '{' {
		return m.position, ""
	}
	before := strings.TrimSpace(m.before)
	switch {
	case m.after == "" && before == "": // the end of the file
		return m.start, "the " + opened[:1] + " here has no end"
	case missingInBrackets(m.before, m.after) != "":
		return position{m.line, utf8.RuneCountInString(strings.TrimRight(m.before, " ")) + 1}, missingInBrackets(m.before, m.after)
	case m.line > m.start.line && !strings.ContainsAny(before, ":,"):
		return m.position, fmt.Sprintf("a comma is missing before this, or the %s in line %d has no end", opened[:1], m.start.line)
	case strings.HasPrefix(m.after, ":"):
		return m.position, secondColon
	case strings.HasSuffix(before, `"`), strings.HasSuffix(before, "'"):
		if where, text := m.quotes(); text != "" {
			return where, text
		}
		return m.position, "a comma is missing, or the quotes before this end too early"
	case opened[0] == '[':
		return m.position, "a comma or ] is missing"
	default:
		return m.position, "a comma or } is missing"
	}
}

// noValue explains what stands where a value should.
func (m *yamlMistake) noValue() string {
	switch {
	case strings.HasPrefix(m.after, "- "):
		return `"- " within brackets; the items of a list there have commas between them`
	case strings.HasSuffix(m.context, "block node"):
		return "text can't start with " + m.first() + "; put it in quotes"
	default:
		return "a value is missing before the " + m.first()
	}
}

// quotes finds where quotes start that end at the mistake, if that is in a line above: they
// may have to end there.
func (m *yamlMistake) quotes() (position, string) {
	before := strings.TrimRight(m.before, " ")
	last := len(before) - 1
	if last < 0 || before[last] != '"' && before[last] != '\'' {
		return m.position, ""
	}
	above := m.data[:m.lineStart(m.line)]
	start := bytes.LastIndexByte(above, before[last])
	if start < 0 || strings.IndexByte(before[:last], before[last]) >= 0 {
		return m.position, ""
	}
	if opens := bytes.TrimRight(above[:start], " "); len(opens) > 0 && bytes.IndexByte([]byte(":,[{-\n"), opens[len(opens)-1]) < 0 {
		return m.position, ""
	}
	return positionOf(m.data, start), fmt.Sprintf("the quotes that start here end in line %d", m.line)
}

// bracket finds a known name in front of a bracket, without a colon.
func (m *yamlMistake) bracket() (position, string) {
	line := m.before + m.after
	column, text := missingAfterName(line)
	if text == "" || !strings.HasPrefix(line[column-1:], " {") && !strings.HasPrefix(line[column-1:], " [") {
		return m.position, ""
	}
	return position{m.line, column}, text
}

// goesOn reports whether a line is part of the text that the one above starts.
func (m *yamlMistake) goesOn(number int, line string) bool {
	number, above := m.lineAbove(number)
	return number > 0 && !strings.HasPrefix(strings.TrimSpace(line), "- ") && !strings.HasSuffix(above, ":") && indentOf(line) > indentOf(above)
}

// lineAbove is the next line above that isn't blank and no comment; 0 is none.
func (m *yamlMistake) lineAbove(number int) (int, string) {
	above := m.data[:m.lineStart(number)]
	for number--; number > 0; number-- {
		above = bytes.TrimSuffix(above, []byte("\n"))
		start := bytes.LastIndexByte(above, '\n') + 1
		if text := bytes.TrimSpace(above[start:]); len(text) > 0 && text[0] != '#' {
			return number, string(bytes.TrimRight(above[start:], " \t\r"))
		}
		above = above[:start]
	}
	return 0, ""
}

// lineStart is where a line starts in the file.
func (m *yamlMistake) lineStart(number int) int {
	rest := m.data
	for range number - 1 {
		_, rest, _ = bytes.Cut(rest, []byte("\n"))
	}
	return len(m.data) - len(rest)
}

// indentOf is how far the text of a line is indented, after the dashes of list items.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " -")) }
