package scripts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// parseJSON reads a JSON file.
func parseJSON(data []byte) (*node, *syntaxError) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, &syntaxError{position{1, 1}, "the file is empty", nil}
	}
	r := &jsonReader{data: data, decoder: json.NewDecoder(bytes.NewReader(data)), line: 1, column: 1}
	r.decoder.UseNumber()
	n, err := r.read(0)
	if err != nil {
		return nil, err
	}
	where := r.next()
	if _, err := r.decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, &syntaxError{where, "the file isn't JSON: there is something after its end", err}
	}
	return n, nil
}

// jsonReader makes nodes of tokens. It counts lines as it goes.
type jsonReader struct {
	data    []byte
	decoder *json.Decoder

	// The place of the offset seen. A file of one line is read in linear time.
	line, column, seen int
}

// next is the place of the next token.
func (r *jsonReader) next() position {
	offset := int(r.decoder.InputOffset())
	for offset < len(r.data) && strings.IndexByte(" \t\r\n,:", r.data[offset]) >= 0 {
		offset++
	}
	return r.place(offset)
}

func (r *jsonReader) place(offset int) position {
	if offset < r.seen { // of an error, which ends the reading
		return positionOf(r.data, offset)
	}
	passed := r.data[r.seen:offset]
	r.line += bytes.Count(passed, []byte("\n"))
	if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
		r.column = 1
		passed = passed[i+1:]
	}
	r.column += utf8.RuneCount(passed)
	r.seen = offset
	return position{r.line, r.column}
}

func (r *jsonReader) read(depth int) (*node, *syntaxError) {
	where := r.next()
	if depth > maxDepth {
		return nil, &syntaxError{where, "the value is nested too deeply", nil}
	}
	token, err := r.decoder.Token()
	if err != nil {
		return nil, r.fail(where, err)
	}
	n := &node{position: where}
	switch v := token.(type) {
	case json.Delim:
		if v == '[' {
			n.kind = listNode
			return n, r.list(n, depth)
		}
		n.kind = mapNode
		return n, r.mapping(n, depth)
	case json.Number:
		n.raw = v.String()
		return n, r.number(n, n.raw)
	case string:
		n.value = v
		return n, nil
	default: // true, false or null
		n.value, n.raw = v, "null"
		if v != nil {
			n.raw = fmt.Sprint(v)
		}
		return n, nil
	}
}

func (r *jsonReader) list(n *node, depth int) *syntaxError {
	for r.decoder.More() {
		item, err := r.read(depth + 1)
		if err != nil {
			return err
		}
		n.items = append(n.items, item)
	}
	return r.end()
}

func (r *jsonReader) mapping(n *node, depth int) *syntaxError {
	seen := map[string]int{}
	for r.decoder.More() {
		where := r.next()
		token, err := r.decoder.Token()
		if err != nil {
			return r.fail(where, err)
		}
		key := token.(string) // the decoder allows nothing else here
		if first, ok := seen[key]; ok {
			return duplicateKey(where, key, first)
		}
		seen[key] = where.line
		value, failure := r.read(depth + 1)
		if failure != nil {
			return failure
		}
		n.entries = append(n.entries, entry{key, where, value})
	}
	n.indexKeys()
	return r.end()
}

// end reads the bracket that More stopped at.
func (r *jsonReader) end() *syntaxError {
	where := r.next()
	if _, err := r.decoder.Token(); err != nil {
		return r.fail(where, err)
	}
	return nil
}

func (r *jsonReader) number(n *node, text string) *syntaxError {
	var err error
	if strings.ContainsAny(text, ".eE") {
		n.value, err = parseFloat(text)
	} else {
		n.value, err = parseInteger(text)
	}
	if err != nil {
		return &syntaxError{n.position, notANumber, err}
	}
	return nil
}

func (r *jsonReader) fail(where position, err error) *syntaxError {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok && syntax.Offset > 0 {
		where = r.place(int(syntax.Offset) - 1)
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &syntaxError{positionOf(r.data, len(r.data)), "the file isn't JSON: it ends too early", err}
	}
	return &syntaxError{where, "the file isn't JSON: " + err.Error(), err}
}
