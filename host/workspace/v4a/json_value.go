package v4a

import (
	"bytes"
	"encoding/json"
	"iter"
	"slices"
	"strings"
)

// A jsonValue is a valid value of a document. The zero value is one that isn't
// there.
type jsonValue struct {
	raw   []byte // without white space around it
	start int    // where in the document, in bytes
}

// kind is the first character, or 0.
func (v jsonValue) kind() byte {
	if len(v.raw) == 0 {
		return 0
	}
	return v.raw[0]
}

// isNull reports whether there is no value but null.
func (v jsonValue) isNull() bool { return v.kind() == 0 || v.kind() == 'n' }

// text is the value if it is text.
func (v jsonValue) text() (text string, ok bool) {
	if v.kind() != '"' {
		return "", false
	}
	err := json.Unmarshal(v.raw, &text)
	return text, err == nil
}

// short is the start of a value, as text.
func (v jsonValue) short() string {
	const most = 100
	if len(v.raw) <= most {
		return string(v.raw)
	}
	return strings.ToValidUTF8(string(v.raw[:most]), "") + "…"
}

// items are the values of a list.
func (v jsonValue) items() iter.Seq[jsonValue] {
	return func(yield func(jsonValue) bool) {
		d := v.enter()
		for d.More() {
			item, err := v.next(d)
			if err != nil || !yield(item) {
				return
			}
		}
	}
}

// fields are those values of an object that have one of some names; of several with
// the same name, the last. They are nil if this isn't an object.
func (v jsonValue) fields(names ...string) map[string]jsonValue {
	if v.kind() != '{' {
		return nil
	}
	fields := map[string]jsonValue{}
	d := v.enter()
	for d.More() {
		name, err := d.Token()
		if err != nil {
			break
		}
		field, err := v.next(d)
		if err != nil {
			break
		}
		if text, ok := name.(string); ok && slices.Contains(names, text) {
			fields[text] = field
		}
	}
	return fields
}

// enter is a decoder that has read the bracket at the start of a value.
func (v jsonValue) enter() *json.Decoder {
	d := json.NewDecoder(bytes.NewReader(v.raw))
	_, _ = d.Token() // which is there
	return d
}

// next reads a value with a decoder of this one.
func (v jsonValue) next(d *json.Decoder) (jsonValue, error) {
	var raw json.RawMessage
	err := d.Decode(&raw)
	end := int(d.InputOffset())
	start := end - len(raw)
	return jsonValue{v.raw[start:end], v.start + start}, err
}

// operationsOf are the values that should be operations: those of a list, or an
// object itself if it says of none.
func operationsOf(document jsonValue) iter.Seq[jsonValue] {
	list, one := document, document
	if fields := document.fields("operations", "operation"); fields != nil {
		list = fields["operations"]
		if field := fields["operation"]; !field.isNull() {
			one = field
		}
	}
	if list.kind() == '[' {
		return list.items()
	}
	return func(yield func(jsonValue) bool) { yield(one) }
}
