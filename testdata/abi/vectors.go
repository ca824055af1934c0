// Package vectors holds the encoded messages that every implementation of the
// ABI has to agree on. The files of v1/valid decode, and encode to the same
// bytes; the files of v1/malformed must be refused.
//
// A file starts with lines of the form "# key: value"; the rest of it is the
// message in hexadecimal digits, with any white space. See Vector for the keys.
// The files are written by the tests of package abi with their flag -update.
package vectors

import (
	"embed"
	"encoding/hex"
	"fmt"
	"path"
	"strings"
)

// A Vector is one encoded message and what is known of it. The comments give the
// keys of the header.
type Vector struct {
	Name    string // the file's name without its ending
	Message string // message: Call, Open, Reply or Panic
	About   string // about: what the vector is there for
	Data    []byte // the encoded message

	// JSON is the message in protobuf's JSON form with the field names of
	// abi.proto, in one line. Only valid vectors have it. Key: json.
	JSON string

	// Canonical is how a writer encodes the message, in a valid vector whose
	// Data is another encoding of it, or else equal to Data. Key: canonical, in
	// hexadecimal digits.
	Canonical []byte

	// Layer is what refuses a malformed vector: wire, text, depth or semantic.
	// Key: layer.
	Layer string

	// Reason is why a malformed vector is refused: truncated, overflow, range,
	// wire_type, field_number, invalid_utf8, depth, missing, enum or digest.
	// Key: reason.
	Reason string

	// Field is where a malformed vector fails, such as ExecResult.stdout; only
	// the message when no field can be named. Key: field.
	Field string

	// Protobuf tells whether a plain protobuf reader refuses a malformed vector
	// too. Key: protobuf, either refuses or accepts.
	Protobuf string
}

//go:embed v1
var files embed.FS

// Valid returns the valid vectors of v1 in the order of their names.
func Valid() ([]Vector, error) { return load("v1/valid") }

// Malformed returns the malformed vectors of v1 in the order of their names.
func Malformed() ([]Vector, error) { return load("v1/malformed") }

func load(folder string) ([]Vector, error) {
	entries, err := files.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	vectors := make([]Vector, 0, len(entries))
	for _, entry := range entries {
		text, err := files.ReadFile(path.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		v, err := Parse(strings.TrimSuffix(entry.Name(), ".txt"), string(text))
		if err != nil {
			return nil, err
		}
		vectors = append(vectors, v)
	}
	return vectors, nil
}

// Parse reads the text of a file. It fails on unknown keys and on text that is
// not hexadecimal.
func Parse(name, text string) (Vector, error) {
	v := Vector{Name: name}
	var digits strings.Builder
	for line := range strings.Lines(text) {
		header, ok := strings.CutPrefix(line, "# ")
		if !ok {
			digits.WriteString(line)
			continue
		}
		key, value, _ := strings.Cut(header, ":")
		if err := v.set(key, strings.TrimSpace(value)); err != nil {
			return Vector{}, fmt.Errorf("vector %s: %w", name, err)
		}
	}
	data, err := unhex(digits.String())
	if err != nil {
		return Vector{}, fmt.Errorf("vector %s: %w", name, err)
	}
	v.Data = data
	if v.Canonical == nil {
		v.Canonical = data
	}
	return v, nil
}

func (v *Vector) set(key, value string) (err error) {
	switch key {
	case "message":
		v.Message = value
	case "about":
		v.About = value
	case "json":
		v.JSON = value
	case "canonical":
		v.Canonical, err = unhex(value)
	case "layer":
		v.Layer = value
	case "reason":
		v.Reason = value
	case "field":
		v.Field = value
	case "protobuf":
		v.Protobuf = value
	default:
		err = fmt.Errorf("unknown key %q", key)
	}
	return err
}

// unhex decodes hexadecimal digits with any white space. The result is not nil.
func unhex(digits string) ([]byte, error) {
	return hex.DecodeString(strings.Join(strings.Fields(digits), ""))
}

// Format is the text of a file that Parse reads as v.
func (v Vector) Format() string {
	var b strings.Builder
	header := func(key, value string, present bool) {
		if present {
			b.WriteString(strings.TrimSpace("# "+key+": "+value) + "\n")
		}
	}
	header("message", v.Message, true)
	header("about", v.About, v.About != "")
	header("layer", v.Layer, v.Layer != "")
	header("reason", v.Reason, v.Reason != "")
	header("field", v.Field, v.Field != "")
	header("protobuf", v.Protobuf, v.Protobuf != "")
	header("json", v.JSON, v.JSON != "")
	header("canonical", hex.EncodeToString(v.Canonical), v.Canonical != nil && string(v.Canonical) != string(v.Data))
	for i, c := range v.Data {
		separator := " "
		if i%24 == 0 {
			separator = "\n"
		}
		fmt.Fprintf(&b, "%s%02x", separator, c)
	}
	b.WriteByte('\n')
	return b.String()
}
