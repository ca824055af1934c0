package builtin

import (
	"encoding/json"
	"maps"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"
)

// What follows looks at how large a text or an array is going to be that one step makes of
// others: of one value that is there many times it may be more than there is memory.

// textSize is about how long a value is that has nothing in it, as text.
func textSize(value any) int {
	switch value := value.(type) {
	case string:
		return len(value)
	case json.Number:
		return len(value)
	case *big.Int:
		return value.BitLen() / 3
	default:
		return 4
	}
}

// short is for what is going to be made a text.
func (g *jqGuard) short(value any) any {
	if err, failed := g.small(value).(error); failed {
		return err
	}
	left := maxJQString
	if err := g.shorter(value, &left); err != nil {
		return err
	}
	return value
}

// shorter takes the length of a value from what is left. It isn't nested too deep.
func (g *jqGuard) shorter(value any, left *int) error {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if err := g.shorter(element, left); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, element := range value {
			*left -= len(key)
			if err := g.shorter(element, left); err != nil {
				return err
			}
		}
	default:
		*left -= textSize(value)
	}
	if *left--; *left < 0 {
		return errJQSize
	}
	return g.step()
}

// sum is for what is in a value and is going to be added up.
func (g *jqGuard) sum(value any) any {
	var bytes, elements int
	add := func(element any) error {
		switch element := element.(type) {
		case string:
			bytes += len(element)
		case []any:
			elements += len(element)
		}
		if bytes > maxJQString || elements > maxJQElements {
			return errJQSize
		}
		return g.step()
	}
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if err := add(element); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, element := range value {
			if err := add(element); err != nil {
				return err
			}
		}
	}
	return value
}

// joint is for what comes between the elements of an array or an object that are joined.
func (g *jqGuard) joint(in, separator any) any {
	list, ok := in.([]any)
	if object, is := in.(map[string]any); is {
		list, ok = slices.Collect(maps.Values(object)), true
	}
	text, isText := separator.(string)
	if !ok || !isText {
		return separator
	}
	size := 0
	for _, element := range list {
		if size += len(text) + textSize(element); size > maxJQString {
			return errJQSize
		}
		if err := g.step(); err != nil {
			return err
		}
	}
	return separator
}

// grid is for an array of arrays, each of which is going to have an element of all.
func (g *jqGuard) grid(value any) any {
	rows, _ := value.([]any)
	longest := 0
	for _, row := range rows {
		if list, ok := row.([]any); ok {
			longest = max(longest, len(list))
		}
	}
	if longest*max(len(rows), 1) > maxJQElements {
		return errJQSize
	}
	return value
}

// parts is for what a text is going to be split by.
func (g *jqGuard) parts(in, separator any) any {
	text, ok := in.(string)
	by, isText := separator.(string)
	if ok && isText && strings.Count(text, by) > maxJQElements {
		return errJQSize
	}
	return separator
}

// over is for what is going to be divided.
func (g *jqGuard) over(a, b any) any {
	if err, failed := g.parts(a, b).(error); failed {
		return err
	}
	return []any{a, b}
}

// characters is for a text of which each character is going to be an element.
func (g *jqGuard) characters(value any) any {
	if text, ok := value.(string); ok && utf8.RuneCountInString(text) > maxJQElements {
		return errJQSize
	}
	return value
}
