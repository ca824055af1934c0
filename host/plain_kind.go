package host

import "math"

// DescribePlain says what kind of plain value it is, to be read after "not": "null", "text",
// "a number", "a fraction", "true or false", "bytes", "a list" or "a map".
func DescribePlain(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "true or false"
	case string:
		return "text"
	case []byte:
		return "bytes"
	case []any, []string:
		return "a list"
	case map[string]any:
		return "a map"
	case float64:
		if v != math.Trunc(v) { // NaN, too
			return "a fraction"
		}
	}
	return "a number"
}
