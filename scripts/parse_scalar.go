package scripts

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

const notANumber = "the number must be one of 64 bits"

// What a plain scalar may be in the core schema of YAML 1.2 (10.3.2).
var (
	nullText  = regexp.MustCompile(`^(null|Null|NULL|~|)$`)
	boolText  = regexp.MustCompile(`^(true|True|TRUE|false|False|FALSE)$`)
	intText   = regexp.MustCompile(`^([-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	floatText = regexp.MustCompile(`^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// plainTag is the tag of a plain scalar.
func plainTag(text string) string {
	switch {
	case nullText.MatchString(text):
		return "!!null"
	case boolText.MatchString(text):
		return "!!bool"
	case intText.MatchString(text):
		return "!!int"
	case floatText.MatchString(text):
		return "!!float"
	default:
		return "!!str"
	}
}

// parseInteger reads a decimal number, or one with 0o or 0x: an int64, or a
// uint64 if it is too large for that.
func parseInteger(text string) (any, error) {
	digits, base := text, 10
	if octal, ok := strings.CutPrefix(text, "0o"); ok {
		digits, base = octal, 8
	} else if hex, ok := strings.CutPrefix(text, "0x"); ok {
		digits, base = hex, 16
	}
	if i, err := strconv.ParseInt(digits, base, 64); err == nil {
		return i, nil
	}
	u, err := strconv.ParseUint(strings.TrimPrefix(digits, "+"), base, 64)
	if err != nil {
		return nil, err
	}
	return u, nil
}

func parseFloat(text string) (any, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, err
	}
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, strconv.ErrRange
	}
	return f, nil
}
