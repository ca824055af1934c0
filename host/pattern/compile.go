package pattern

import (
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A Pattern is what is wanted of a value. It is immutable, and safe for
// concurrent use.
type Pattern struct {
	root string
	want rule
}

// An Error says which part of a pattern can't be used. Its Field is where that
// is, for example "args[0].glob".
type Error struct {
	Field   string // "" for the whole
	Problem string
	Err     error // what a regular expression or base64 text failed with; may be nil
}

func (e *Error) Error() string {
	text := e.Problem
	if e.Field != "" {
		text = e.Field + " " + text
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Compile makes a pattern of a plain value: nil, bool, numbers, string, []byte,
// and []any, []string and map[string]any of these. The root names the value in
// differences and errors, for example "result". The error is an *Error.
func Compile(root string, want any) (*Pattern, error) {
	r, err := compile(root, want, 0)
	if err != nil {
		return nil, err
	}
	return &Pattern{root: root, want: r}, nil
}

// maxDepth bounds the nesting of patterns and values.
const maxDepth = 1000

// rules makes the rules of maps with one key.
var rules = map[string]func(field string, operand any, depth int) (rule, error){
	"exact":  compileExact,
	"glob":   compileGlob,
	"regex":  compileRegex,
	"any":    compileAny,
	"base64": compileBase64,
}

func compile(field string, want any, depth int) (rule, error) {
	if depth > maxDepth {
		return nil, &Error{Field: field, Problem: "is nested too deeply"}
	}
	switch v := want.(type) {
	case []any:
		return compileList(field, v, depth)
	case []string:
		return compileList(field, anyList(v), depth)
	case map[string]any:
		if len(v) == 1 {
			for key, operand := range v {
				if compileRule, ok := rules[key]; ok {
					return compileRule(field+"."+key, operand, depth+1)
				}
			}
		}
		return compileMap(field, v, depth)
	default:
		value, err := normalize(field, want, depth)
		if err != nil {
			return nil, err
		}
		return equal{value: value}, nil
	}
}

func compileList(field string, want []any, depth int) (rule, error) {
	items := make([]rule, len(want))
	for i, item := range want {
		var err error
		if items[i], err = compile(index(field, i), item, depth+1); err != nil {
			return nil, err
		}
	}
	return list{items}, nil
}

func compileMap(field string, want map[string]any, depth int) (rule, error) {
	m := subset{keys: slices.Sorted(maps.Keys(want)), rules: make(map[string]rule, len(want))}
	for _, key := range m.keys {
		r, err := compile(join(field, key), want[key], depth+1)
		if err != nil {
			return nil, err
		}
		m.rules[key] = r
	}
	return m, nil
}

func compileExact(field string, operand any, depth int) (rule, error) {
	value, err := normalize(field, operand, depth)
	if err != nil {
		return nil, err
	}
	return equal{value: value, exact: true}, nil
}

func compileRegex(field string, operand any, _ int) (rule, error) {
	text, ok := operand.(string)
	if !ok {
		return nil, &Error{Field: field, Problem: "must be text, not " + host.DescribePlain(operand)}
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, &Error{Field: field, Problem: "isn't a valid regular expression", Err: err}
	}
	return regex{re}, nil
}

func compileAny(field string, operand any, _ int) (rule, error) {
	switch operand {
	case true:
		return anything{}, nil
	case false:
		return nil, &Error{Field: field, Problem: "must be true, not false"}
	default:
		return nil, &Error{Field: field, Problem: "must be true, not " + host.DescribePlain(operand)}
	}
}

func compileBase64(field string, operand any, _ int) (rule, error) {
	text, ok := operand.(string)
	if !ok {
		return nil, &Error{Field: field, Problem: "must be text, not " + host.DescribePlain(operand)}
	}
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, &Error{Field: field, Problem: "isn't standard base64 with padding", Err: err}
	}
	return content{data}, nil
}

// normalize brings a value into the form that calls and results are shown in.
func normalize(field string, value any, depth int) (any, error) {
	if depth > maxDepth {
		return nil, &Error{Field: field, Problem: "is nested too deeply"}
	}
	switch v := value.(type) {
	case nil, bool, string, int64:
		return v, nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &Error{Field: field, Problem: "isn't a finite number"}
		}
		return v, nil
	case int:
		return int64(v), nil
	case []byte:
		return plainBytes(v), nil
	case []string:
		return anyList(v), nil
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			var err error
			if items[i], err = normalize(index(field, i), item, depth+1); err != nil {
				return nil, err
			}
		}
		return items, nil
	case map[string]any:
		m := make(map[string]any, len(v))
		for _, key := range slices.Sorted(maps.Keys(v)) {
			item, err := normalize(join(field, key), v[key], depth+1)
			if err != nil {
				return nil, err
			}
			m[key] = item
		}
		return m, nil
	default:
		return nil, &Error{Field: field, Problem: fmt.Sprintf("has the type %T, which isn't plain", value)}
	}
}

func plainBytes(data []byte) any {
	if utf8.Valid(data) {
		return string(data)
	}
	return map[string]any{"base64": base64.StdEncoding.EncodeToString(data)}
}

func anyList[T any](list []T) []any {
	values := make([]any, len(list))
	for i, v := range list {
		values[i] = v
	}
	return values
}

func index(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }

func join(field, key string) string {
	if field == "" {
		return key
	}
	return field + "." + key
}
