// Package saturating adds numbers that come from guests, scripts and archives.
package saturating

import "math"

// Add adds two numbers, the second of which isn't negative: to the largest one that there
// is, if that would be more.
func Add(a, b int64) int64 {
	if sum := a + b; sum >= a {
		return sum
	}
	return math.MaxInt64
}
