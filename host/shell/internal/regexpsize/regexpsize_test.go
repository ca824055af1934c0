package regexpsize_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/regexpsize"
)

func TestTheSizeIsThatOfWhatIsMatched(t *testing.T) {
	one := regexpsize.Of("a")
	for name, test := range map[string]struct {
		expression  string
		least, most int
	}{
		"a repetition counts each time":     {"a{100}", one + 99, one + 99},
		"repetitions multiply":              {"(a{30}){30}", 900, 2000},
		"a star is small":                   {"a*", one, one + 2},
		"what is no expression has no size": {"(", 0, 0},
	} {
		if got := regexpsize.Of(test.expression); got < test.least || got > test.most {
			t.Errorf("%s: %d, want %d to %d", name, got, test.least, test.most)
		}
	}
}
