package host

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// The weight that the JSON of the index and of the history may have. What is short to
// write isn't small in memory: these keep a file from taking gigabytes with lists of
// things that are empty.
const (
	maxIndexWeight   = 1 << 24
	maxHistoryWeight = 1 << 26
)

// A jsonScale weighs JSON as it passes, in pieces: an object weighs 8, and the beginning
// of a list, a comma and a colon 1 each, which is about a byte of weight for 32 bytes of
// memory. Its zero value is ready.
type jsonScale struct {
	weight int
	quoted bool // in a string
	escape bool // after a backslash
}

func (s *jsonScale) add(text []byte) {
	for _, c := range text {
		switch {
		case s.escape:
			s.escape = false
		case c == '"':
			s.quoted = !s.quoted
		case s.quoted:
			s.escape = c == '\\'
		case c == '{':
			s.weight += 8
		case c == '[' || c == ',' || c == ':':
			s.weight++
		}
	}
}

// A weighedReader reads JSON that has no more than a weight.
type weighedReader struct {
	r     io.Reader
	most  int
	scale jsonScale
}

func (w *weighedReader) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if w.scale.add(p[:n]); w.scale.weight > w.most {
		return 0, &CheckpointError{Kind: CheckpointTooLarge, Detail: "its JSON has too many parts"}
	}
	return n, err
}

// decodeStrictly reads one JSON document, and nothing after it.
func decodeStrictly(r io.Reader, value any) error {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return jsonProblem(err)
	}
	return wantEnd(decoder)
}

// wantEnd fails if there is something after the last document.
func wantEnd(decoder *json.Decoder) error {
	switch _, err := decoder.Token(); {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil:
		return malformed("a member has something after its end")
	default:
		return jsonProblem(err)
	}
}

// jsonProblem is malformed for what isn't the JSON that it should be.
func jsonProblem(err error) error {
	switch {
	case isA[*json.SyntaxError](err), isA[*json.UnmarshalTypeError](err), errors.Is(err, io.EOF):
		return malformed("a member isn't the JSON that it should be")
	case strings.HasPrefix(err.Error(), "json: unknown field"): // which may be of any length
		return malformed("a member has a field that isn't known")
	default:
		return err
	}
}

// A pathForm is a path, which needn't be UTF-8 as JSON has to be.
type pathForm string

// A rawPath is how one that isn't is written.
type rawPath struct {
	Base64 []byte `json:"base64"`
}

// MarshalJSON implements [json.Marshaler].
func (p pathForm) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return json.Marshal(string(p))
	}
	return json.Marshal(rawPath{[]byte(p)})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (p *pathForm) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return json.Unmarshal(data, (*string)(p))
	}
	var raw rawPath
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*p = pathForm(raw.Base64)
	return nil
}
