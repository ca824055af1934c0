package builtin

import (
	"encoding/json"
	"math/big"
	"strings"
)

// A jqGuard has what filters call between the lines, so that no step of them takes
// too much time or memory: the library looks at its context between steps only.
type jqGuard struct {
	ended       func() error // why no more is to be done, if it isn't
	calls, work int
	steps       int
	expressions map[[2]string]*matchFinder // that are compiled, by text and flags
}

// step is called for each small part of something that may take long.
func (g *jqGuard) step() error {
	const perLook = 4096
	if g.steps++; g.steps%perLook == 0 {
		return g.ended()
	}
	return nil
}

const (
	// maxJQString is how long a string may become, in bytes.
	maxJQString = 64 << 20
	// maxJQElements is how many elements an array may have.
	maxJQElements = 8 << 20
	// maxJQNodes is how many values there may be in one that is made a string.
	maxJQNodes = 32 << 20

	errJQSize = complaint("the value is too large")
)

// fit is for what a sum or a product gave.
func (g *jqGuard) fit(value any) any {
	switch value := value.(type) {
	case string:
		if len(value) > maxJQString {
			return errJQSize
		}
	case []any:
		if len(value) > maxJQElements {
			return errJQSize
		}
	case *big.Int:
		if value.BitLen() > maxDigits*4 {
			return errDigits
		}
	}
	return value
}

// times is for what is going to be multiplied.
func (g *jqGuard) times(a, b any) any {
	text, isText := a.(string)
	n, isNumber := jqNumber(b)
	if !isText || !isNumber {
		text, isText = b.(string)
		n, isNumber = jqNumber(a)
	}
	if isText && isNumber && float64(len(text))*n > maxJQString {
		return errJQSize
	}
	if _, merged := a.(map[string]any); merged {
		left := maxJQNodes
		if err := g.weigh(b, 0, &left); err != nil {
			return err
		}
	}
	return []any{a, b}
}

// regex is for an expression, or a list that begins with one, for a text.
func (g *jqGuard) regex(expression, subject any) any {
	first := expression
	if list, ok := expression.([]any); ok && len(list) > 0 {
		first = list[0]
	}
	pattern, ok := first.(string)
	text, isText := subject.(string)
	if ok && isText {
		if err := checkMatch(pattern, len(text)); err != nil {
			return err
		}
	}
	return expression
}

// index is for what an array is indexed by.
func (g *jqGuard) index(value any) any {
	if n, ok := jqNumber(value); ok && n > maxJQElements {
		return errJQSize
	}
	return value
}

// indexes is index for paths.
func (g *jqGuard) indexes(value any) any {
	path, _ := value.([]any)
	for _, step := range path {
		if err, failed := g.index(step).(error); failed {
			return err
		}
	}
	return value
}

// digits is for what is going to be made a number, or has numbers in it.
func (g *jqGuard) digits(value any) any {
	text, ok := value.(string)
	if !ok || len(text) <= maxDigits {
		return value
	}
	run := 0
	for i := range len(text) {
		if strings.IndexByte("0123456789.eE+-", text[i]) < 0 {
			run = 0
		} else if run++; run > maxDigits {
			return errDigits
		}
	}
	return value
}

// small is for what is going to be compared.
func (g *jqGuard) small(value any) any {
	left := maxJQNodes
	if err := g.weigh(value, 0, &left); err != nil {
		return err
	}
	return value
}

// maxJQPairs is how many comparisons there may be of each part of a value with each of
// another.
const maxJQPairs = 16 << 20

// minus is for what is going to be subtracted.
func (g *jqGuard) minus(a, b any) any {
	_, ok := a.([]any)
	if _, lists := b.([]any); !ok || !lists {
		return []any{a, b}
	}
	if err, failed := g.pair(a, b).(error); failed {
		return err
	}
	return []any{a, b}
}

// pair is for a value that is going to be looked for in another one.
func (g *jqGuard) pair(in, value any) any {
	left := maxJQNodes
	if err := g.weigh(in, 0, &left); err != nil {
		return err
	}
	text, isText := in.(string)
	if part, ok := value.(string); isText && ok && strings.Count(text, part)*max(len(part), 1) > maxJQElements {
		return errJQSize
	}
	size := maxJQNodes - left
	left = maxJQPairs / size
	if err := g.weigh(value, 0, &left); err != nil {
		return err
	}
	return value
}

// flat is for what is handed on in a loop: it mustn't become too deep. It looks at
// no more than a few values for each time that it is called, in the mean.
func (g *jqGuard) flat(value any) any {
	const perCall, first = 64, 1 << 20
	g.calls++
	if g.work > g.calls*perCall+first {
		return nil
	}
	left := maxJQNodes
	err := g.weigh(value, 0, &left)
	g.work += maxJQNodes - left
	if err != nil {
		return err
	}
	return nil
}

// weigh counts values, and takes each 64 bytes of a text for one.
func (g *jqGuard) weigh(value any, depth int, left *int) error {
	switch value := value.(type) {
	case string:
		*left -= len(value) / 64
	case json.Number:
		*left -= len(value) / 64
	case []any:
		for _, element := range value {
			if err := g.weighDeeper(element, depth, left); err != nil {
				return err
			}
		}
	case map[string]any:
		for key, element := range value {
			*left -= len(key) / 64
			if err := g.weighDeeper(element, depth, left); err != nil {
				return err
			}
		}
	}
	if *left--; *left < 0 {
		return errJQSize
	}
	return g.step()
}

func (g *jqGuard) weighDeeper(value any, depth int, left *int) error {
	if depth++; depth > maxJSONDepth {
		return errJSONDepth
	}
	return g.weigh(value, depth, left)
}
