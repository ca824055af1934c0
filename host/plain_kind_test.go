package host_test

import (
	"math"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
)

func TestPlainValuesAreDescribedByTheirKind(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{nil, "null"},
		{true, "true or false"},
		{"5", "text"},
		{[]byte("5"), "bytes"},
		{5, "a number"},
		{int64(5), "a number"},
		{5.0, "a number"},
		{1e300, "a number"},
		{5.5, "a fraction"},
		{math.NaN(), "a fraction"},
		{[]any{}, "a list"},
		{[]string{"a"}, "a list"},
		{map[string]any{}, "a map"},
	} {
		if got := host.DescribePlain(test.value); got != test.want {
			t.Errorf("%v is %s, want %s", test.value, got, test.want)
		}
	}
}
