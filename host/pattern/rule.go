package pattern

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// A rule is one part of a pattern.
type rule interface {
	// compare appends what doesn't fit. What was expected is as String has it, and may be
	// followed by a hint.
	compare(found []host.Difference, field string, got any) []host.Difference

	// String is the rule in differences.
	String() string
}

// Compare tells all that doesn't fit, in a fixed order: lists by index, maps by
// the names of their keys. The value is as host.PlainResult shows it; one of
// another type fits nothing but {any: true}.
func (p *Pattern) Compare(got any) []host.Difference {
	return p.want.compare(nil, p.root, got)
}

// String is the pattern as differences show it.
func (p *Pattern) String() string { return p.want.String() }

// Compare compiles a pattern and compares a value with it; see [Compile] and
// [Pattern.Compare].
func Compare(root string, want, got any) ([]host.Difference, error) {
	p, err := Compile(root, want)
	if err != nil {
		return nil, err
	}
	return p.Compare(got), nil
}

// absent stands for a value that isn't there.
const absent = "absent"

func differ(found []host.Difference, field string, want rule, got any) []host.Difference {
	return append(found, host.Difference{Field: field, Expected: want.String(), Actual: show(got)})
}

func missing(found []host.Difference, field string, want rule) []host.Difference {
	return append(found, host.Difference{Field: field, Expected: want.String(), Actual: absent})
}

// list is a whole list.
type list struct{ items []rule }

func (r list) String() string {
	texts := make([]string, len(r.items))
	for i, item := range r.items {
		texts[i] = item.String()
	}
	return cut("[" + strings.Join(texts, ",") + "]")
}

func (r list) compare(found []host.Difference, field string, got any) []host.Difference {
	values, ok := got.([]any)
	if !ok {
		return differ(found, field, r, got)
	}
	for i, item := range r.items {
		if i < len(values) {
			found = item.compare(found, index(field, i), values[i])
		} else {
			found = missing(found, index(field, i), item)
		}
	}
	for i := len(r.items); i < len(values); i++ {
		found = append(found, host.Difference{Field: index(field, i), Expected: absent, Actual: show(values[i])})
	}
	return found
}

// subset is a map of which some keys matter.
type subset struct {
	keys  []string // sorted
	rules map[string]rule
}

func (r subset) String() string {
	texts := make([]string, len(r.keys))
	for i, key := range r.keys {
		texts[i] = show(key) + ":" + r.rules[key].String()
	}
	return cut("{" + strings.Join(texts, ",") + "}")
}

func (r subset) compare(found []host.Difference, field string, got any) []host.Difference {
	values, ok := got.(map[string]any)
	if !ok {
		values, ok = r.contentOf(got)
	}
	if !ok {
		return differ(found, field, r, got)
	}
	for _, key := range r.keys {
		if value, ok := values[key]; ok {
			found = r.rules[key].compare(found, join(field, key), value)
		} else {
			found = missing(found, join(field, key), r.rules[key])
		}
	}
	return found
}

// contentOf is text as the map that the pattern is for, if that is one of
// content: {text: "…"} or {base64: "…"}, perhaps with a position.
func (r subset) contentOf(got any) (values map[string]any, ok bool) {
	text, isText := got.(string)
	if !isText || r.rules["text"] == nil && r.rules["base64"] == nil {
		return nil, false
	}
	for _, key := range r.keys {
		if key != "text" && key != "base64" && key != "position" {
			return nil, false
		}
	}
	return map[string]any{
		"text": text, "base64": base64.StdEncoding.EncodeToString([]byte(text)), "position": int64(0),
	}, true
}

// positions are some items of a list.
type positions struct {
	indexes []int // sorted
	rules   map[int]rule
}

func (r positions) String() string { return "a list" }

func (r positions) compare(found []host.Difference, field string, got any) []host.Difference {
	values, ok := got.([]any)
	if !ok {
		return differ(found, field, r, got)
	}
	for _, i := range r.indexes {
		if i < len(values) {
			found = r.rules[i].compare(found, index(field, i), values[i])
		} else {
			found = missing(found, index(field, i), r.rules[i])
		}
	}
	return found
}

// equal is a value in full.
type equal struct {
	value any
	exact bool // it was said to be no pattern
}

func (r equal) String() string { return show(r.value) }

func (r equal) compare(found []host.Difference, field string, got any) []host.Difference {
	if same(r.value, got) {
		return found
	}
	return append(found, host.Difference{Field: field, Expected: show(r.value) + r.hint(got), Actual: show(got)})
}

type glob struct {
	pattern      string
	alternatives []string // the same without braces; one has to match
}

func (r glob) String() string { return "glob " + show(r.pattern) }

func (r glob) compare(found []host.Difference, field string, got any) []host.Difference {
	if text, ok := got.(string); ok && slices.ContainsFunc(r.alternatives, func(pattern string) bool {
		return doublestar.MatchUnvalidated(pattern, text)
	}) {
		return found
	}
	return differ(found, field, r, got)
}

type regex struct{ re *regexp.Regexp }

func (r regex) String() string { return "regex " + show(r.re.String()) }

func (r regex) compare(found []host.Difference, field string, got any) []host.Difference {
	if text, ok := got.(string); ok && r.re.MatchString(text) {
		return found
	}
	return differ(found, field, r, got)
}

type anything struct{}

func (anything) String() string { return "anything" }

func (anything) compare(found []host.Difference, _ string, _ any) []host.Difference { return found }

// content is bytes, however they are shown.
type content struct{ data []byte }

func (r content) String() string { return show(plainBytes(r.data)) }

func (r content) compare(found []host.Difference, field string, got any) []host.Difference {
	switch v := got.(type) {
	case string:
		if v == string(r.data) {
			return found
		}
	case map[string]any: // a stream's position, which may be there, isn't looked at
		if v["base64"] == base64.StdEncoding.EncodeToString(r.data) || v["text"] == string(r.data) {
			return found
		}
	}
	return differ(found, field, r, got)
}

// same reports whether two plain values are equal, numbers by value.
func same(want, got any) bool {
	switch w := want.(type) {
	case int64, float64:
		return sameNumber(w, got)
	case []any:
		g, ok := got.([]any)
		return ok && slices.EqualFunc(w, g, same)
	case map[string]any:
		g, ok := got.(map[string]any)
		return ok && maps.EqualFunc(w, g, same)
	case nil, bool, string:
		switch got.(type) {
		case nil, bool, string:
			return want == got
		}
	}
	return false
}

func sameNumber(want, got any) bool {
	switch w := want.(type) {
	case int64:
		switch g := got.(type) {
		case int64:
			return w == g
		case float64:
			return sameIntFloat(w, g)
		}
	case float64:
		switch g := got.(type) {
		case int64:
			return sameIntFloat(g, w)
		case float64:
			return w == g
		}
	}
	return false
}

// sameIntFloat doesn't round: 2⁵³+1 isn't the float next to it.
func sameIntFloat(i int64, f float64) bool {
	return f == math.Trunc(f) && f >= -(1<<63) && f < 1<<63 && int64(f) == i
}

// maxShown is how many bytes of a value's text a difference holds.
const maxShown = 2048

// show is a value as compact JSON, cut when it is long.
func show(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "a value that isn't plain"
	}
	return cut(strings.TrimRight(b.String(), "\n"))
}

func cut(text string) string {
	if len(text) <= maxShown {
		return text
	}
	n := maxShown
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "… (" + strconv.Itoa(len(text)-n) + " more bytes)"
}
