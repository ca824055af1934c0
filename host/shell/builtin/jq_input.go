package builtin

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

const (
	// maxJSON is how long one JSON text may be.
	maxJSON = 64 << 20
	// maxDigits is how long a number may be.
	maxDigits = 4096

	errJSONSize = complaint("the JSON text is too large")
	errDigits   = complaint("the number is too long")
)

// A jqInput is the values that a filter is run for. It implements [gojq.Iter].
type jqInput struct {
	c       *command
	options jqOptions
	files   []string
	name    string // of the current file; "": the standard input
	next    func() (any, error)
	limit   *io.LimitedReader
	slurped bool
	events  gojq.Iter // of a value that is streamed
	stream  *gojq.Code
}

func newJQInput(c *command, o jqOptions) *jqInput {
	files := o.files
	if len(files) == 0 {
		files = []string{"-"}
	}
	return &jqInput{c: c, options: o, files: files}
}

// Next gives a value, or an error.
func (in *jqInput) Next() (any, bool) {
	if in.options.slurp {
		return in.slurp()
	}
	for in.events != nil {
		if value, found := in.events.Next(); found {
			return value, true
		}
		in.events = nil
	}
	value, err := in.read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, false
	case err != nil:
		return err, true
	case in.options.stream && !in.options.rawInput:
		return in.startStream(value)
	}
	return value, true
}

// startStream gives the first event of a value.
func (in *jqInput) startStream(value any) (any, bool) {
	if in.stream == nil {
		query, err := gojq.Parse("tostream")
		if err == nil {
			in.stream, err = gojq.Compile(query)
		}
		if err != nil {
			return err, true
		}
	}
	in.events = in.stream.RunWithContext(in.c.Context, value)
	return in.Next()
}

// slurp gives all at once.
func (in *jqInput) slurp() (any, bool) {
	if in.slurped {
		return nil, false
	}
	in.slurped = true
	var text strings.Builder
	values := []any{}
	for {
		value, err := in.read()
		switch {
		case errors.Is(err, io.EOF) && in.options.rawInput:
			return text.String(), true
		case errors.Is(err, io.EOF):
			return values, true
		case err != nil:
			return err, true
		case in.options.rawInput:
			if text.WriteString(value.(string)); text.Len() > maxJSON {
				return errJSONSize, true
			}
		default:
			values = append(values, value)
		}
		if in.c.Err() != nil {
			return in.c.Err(), true
		}
	}
}

// read reads from the current file, or the one after it.
func (in *jqInput) read() (any, error) {
	for {
		if in.next == nil && !in.open() {
			return nil, io.EOF
		}
		value, err := in.next()
		if !errors.Is(err, io.EOF) {
			return value, err
		}
		in.next = nil
	}
}

func (in *jqInput) open() bool {
	for len(in.files) > 0 {
		name := in.files[0]
		in.files = in.files[1:]
		from, err := in.c.open(name)
		if err != nil {
			in.c.fail(jqUsage, "error: Could not open %s: %s", name, shell.ErrorText(err))
			continue
		}
		if in.name = name; name == "-" {
			in.name = ""
		}
		in.limit = &io.LimitedReader{R: &endingReader{in.c, from}, N: maxJSON}
		if in.options.rawInput {
			in.next = in.lines(bufio.NewReader(in.limit))
		} else {
			in.next = in.values(in.limit)
		}
		return true
	}
	return false
}

// values reads JSON.
func (in *jqInput) values(from *io.LimitedReader) func() (any, error) {
	decoder := json.NewDecoder(from)
	decoder.UseNumber()
	failed := false
	return func() (any, error) {
		if failed {
			return nil, io.EOF
		}
		from.N = maxJSON
		var value any
		err := decoder.Decode(&value)
		if err == nil {
			err = checkDigits(value)
		}
		if err != nil {
			failed = true
			if from.N <= 0 {
				return nil, errJSONSize
			}
			if !errors.Is(err, io.EOF) {
				return nil, complaint(err.Error())
			}
		}
		return value, err
	}
}

// lines reads lines, or parts of the whole text if all is read at once.
func (in *jqInput) lines(from *bufio.Reader) func() (any, error) {
	return func() (any, error) {
		in.limit.N = maxJSON
		line, err := from.ReadString('\n')
		switch {
		case in.limit.N <= 0:
			return nil, errJSONSize
		case err != nil && line == "":
			return nil, err
		case !in.options.slurp:
			line = strings.TrimSuffix(line, "\n")
		}
		return strings.ToValidUTF8(line, "\ufffd"), nil
	}
}

// parseJSON reads one JSON text.
func parseJSON(text string) (any, error) {
	values, err := parseAllJSON(text)
	if err == nil && len(values) != 1 {
		err = complaint("not one value")
	}
	if err != nil {
		return nil, err
	}
	return values[0], nil
}

// parseAllJSON reads JSON texts, one after the other.
func parseAllJSON(text string) ([]any, error) {
	if len(text) > maxJSON {
		return nil, errJSONSize
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	values := []any{}
	for {
		var value any
		err := decoder.Decode(&value)
		if err == nil {
			err = checkDigits(value)
		}
		if errors.Is(err, io.EOF) {
			return values, nil
		}
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
}

// checkDigits looks for numbers that would take too long to compute with.
func checkDigits(value any) error {
	switch value := value.(type) {
	case json.Number:
		if len(value) > maxDigits {
			return errDigits
		}
	case []any:
		for _, element := range value {
			if err := checkDigits(element); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, element := range value {
			if err := checkDigits(element); err != nil {
				return err
			}
		}
	}
	return nil
}
