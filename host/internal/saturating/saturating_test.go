package saturating_test

import (
	"math"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/internal/saturating"
)

func TestASumIsAtMostTheLargestNumber(t *testing.T) {
	for _, test := range []struct{ a, b, want int64 }{
		{1, 2, 3},
		{-5, 2, -3},
		{math.MaxInt64, 0, math.MaxInt64},
		{math.MaxInt64 - 1, 1, math.MaxInt64},
		{math.MaxInt64, 1, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64, math.MaxInt64},
		{math.MinInt64, math.MaxInt64, -1},
	} {
		if got := saturating.Add(test.a, test.b); got != test.want {
			t.Errorf("%d and %d are %d, want %d", test.a, test.b, got, test.want)
		}
	}
}
