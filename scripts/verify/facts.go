package verify

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxValue is the longest value that a transcript keeps whole.
const maxValue = 64 << 10

// maxContent is the longest file that it does.
const maxContent = 4 << 10

// facts writes facts of one call after the other.
type facts struct {
	list []Fact
	call int
}

// say adds a fact.
func (f *facts) say(field, value string) {
	f.list = append(f.list, Fact{Call: f.call, Field: field, Value: shortened(value, maxValue)})
}

// quote adds one whose value is a text.
func (f *facts) quote(field, text string) { f.say(field, strconv.Quote(text)) }

// quoteWords is quote for a text in the engine's words.
func (f *facts) quoteWords(field, text string) {
	f.quote(field, text)
	f.list[len(f.list)-1].EngineWords = true
}

// content adds one whose value is a file's. A long one isn't worth being quoted.
func (f *facts) content(field string, data []byte) {
	if len(data) <= maxContent {
		f.quote(field, string(data))
		return
	}
	f.say(field, fmt.Sprintf("%d bytes, sha256 %x", len(data), sha256.Sum256(data)))
}

// number adds one whose value is a number.
func (f *facts) number(field string, n int64) { f.say(field, strconv.FormatInt(n, 10)) }

// plain adds the parts of a plain value, as package host has them.
func (f *facts) plain(field string, value any) {
	switch v := value.(type) {
	case nil:
		f.say(field, "null")
	case bool:
		f.say(field, strconv.FormatBool(v))
	case int64:
		f.number(field, v)
	case int:
		f.number(field, int64(v))
	case float64:
		f.say(field, float(v))
	case string:
		f.quote(field, v)
	case []any:
		if len(v) == 0 {
			f.say(field, "[]")
		}
		for i, item := range v {
			f.plain(field+"["+strconv.Itoa(i)+"]", item)
		}
	case map[string]any:
		if len(v) == 0 {
			f.say(field, "{}")
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			f.plain(member(field, key), v[key])
		}
	default: // of a responder in Go
		f.quote(field, fmt.Sprintf("%T: %v", value, value))
	}
}

// float is a number that doesn't look like a whole one.
func float(v float64) string {
	text := strconv.FormatFloat(v, 'g', -1, 64)
	if strings.ContainsAny(text, ".eIN") { // a fraction, an exponent, Inf, NaN
		return text
	}
	return text + ".0"
}

// member is the name of a map's item.
func member(field, key string) string {
	plain := key != "" && !strings.ContainsFunc(key, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
	if plain {
		return field + "." + key
	}
	return field + "[" + strconv.Quote(key) + "]"
}
