package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxPlainDepth is how deeply a document may be nested.
const maxPlainDepth = 100

// parsePlainJSON reads one JSON document as a plain value. It is strict: UTF-8, no
// key twice, nothing after the end, and no number that would have to be rounded to
// 64 bits. The error is to be read after the document's name.
func parsePlainJSON(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("isn't UTF-8")
	}
	r := plainReader{json.NewDecoder(bytes.NewReader(data))}
	r.decoder.UseNumber()
	value, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := r.decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, r.problem("has something after the end of its JSON")
	}
	return value, nil
}

type plainReader struct{ decoder *json.Decoder }

// problem says where: after which byte.
func (r plainReader) problem(text string) error {
	return fmt.Errorf("%s, at byte %d", text, r.decoder.InputOffset())
}

func (r plainReader) token() (json.Token, error) {
	token, err := r.decoder.Token()
	switch syntax := (*json.SyntaxError)(nil); {
	case err == nil:
		return token, nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, errors.New("isn't JSON: it ends too early")
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("isn't JSON: %w, at byte %d", err, syntax.Offset)
	default:
		return nil, fmt.Errorf("isn't JSON: %w", err)
	}
}

func (r plainReader) value(depth int) (any, error) {
	if depth > maxPlainDepth {
		return nil, r.problem("is nested too deeply")
	}
	token, err := r.token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '[' {
			return r.list(depth)
		}
		return r.object(depth)
	case json.Number:
		return r.number(v.String())
	default: // nil, bool or string
		return v, nil
	}
}

func (r plainReader) list(depth int) (any, error) {
	list := []any{}
	for r.decoder.More() {
		item, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	_, err := r.token()
	return list, err
}

func (r plainReader) object(depth int) (any, error) {
	m := map[string]any{}
	for r.decoder.More() {
		token, err := r.token()
		if err != nil {
			return nil, err
		}
		key := token.(string) // the decoder allows nothing else here
		if _, twice := m[key]; twice {
			return nil, r.problem("has a key twice in one object")
		}
		if m[key], err = r.value(depth + 1); err != nil {
			return nil, err
		}
	}
	_, err := r.token()
	return m, err
}

// number is an int64 if it is written as a whole number, else a float64.
func (r plainReader) number(text string) (any, error) {
	if !strings.ContainsAny(text, ".eE") {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, nil
		}
	} else if f, err := strconv.ParseFloat(text, 64); err == nil && !math.IsInf(f, 0) {
		return f, nil
	}
	return nil, r.problem("has a number that 64 bits can't hold")
}
