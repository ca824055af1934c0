package scripts

import (
	"math"
	"strconv"
	"strings"
)

// units are how sizes end.
var units = []struct {
	name  string
	bytes int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"B", 1}}

// What is wrong with a size.
const (
	notASize = "must be a number of bytes, or one with B, KiB, MiB or GiB, as in 64KiB"
	tooLarge = "must be less than 2 GiB"
)

// maxSize is the largest size, in bytes.
const maxSize = math.MaxInt32

// size is one of the limits; 0 when there is none.
func (p *parser) size(limits *node, key string) int {
	return p.sizeOf(limits.get(key), at("limits", key))
}

// sizeOf is a size, or 0 if there is none.
func (p *parser) sizeOf(n *node, field string) int {
	if n == nil {
		return 0
	}
	bytes, problem := parseSize(n)
	if problem != "" && !p.violated(field) {
		p.add(n.position, field, problem, nil)
	}
	return bytes
}

// parseSize is a number of bytes, or what is wrong with it.
func parseSize(n *node) (bytes int, problem string) {
	number, ok := integer(n)
	unit := int64(1)
	for _, u := range units {
		if digits, found := strings.CutSuffix(n.text(), u.name); found && !ok {
			var err error
			number, err = strconv.ParseInt(digits, 10, 64)
			if ok = err == nil || isDigits(digits); err != nil {
				number = math.MaxInt64
			}
			unit = u.bytes
		}
	}
	switch {
	case !ok || number < 1:
		return 0, notASize
	case number > maxSize/unit:
		return maxSize, tooLarge
	default:
		return int(number * unit), ""
	}
}

// A SizeError is a text that is no size.
type SizeError struct {
	Text    string
	Problem string // what it has to be, which is all that Error says
}

func (e *SizeError) Error() string { return e.Problem }

// ParseSize reads a size as scripts have them, such as "64MiB", in bytes. The error is
// a *[SizeError].
func ParseSize(text string) (bytes int64, err error) {
	n := &node{kind: scalarNode, value: text}
	if number, err := strconv.ParseInt(text, 10, 64); err == nil {
		n.value = number
	}
	size, problem := parseSize(n)
	if problem != "" {
		return 0, &SizeError{text, problem}
	}
	return int64(size), nil
}

func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }
