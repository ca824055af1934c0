package scripts_test

import (
	"errors"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/scripts"
)

func TestASizeIsANumberWithAUnit(t *testing.T) {
	for text, want := range map[string]int64{"1": 1, "7B": 7, "64KiB": 64 << 10, "3MiB": 3 << 20, "1GiB": 1 << 30} {
		if size, err := scripts.ParseSize(text); err != nil || size != want {
			t.Errorf("%s is %d, %v", text, size, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "1.5MiB", "1 MiB", "MiB", "1kb", "2GiB", "99999999999999999999B"} {
		_, err := scripts.ParseSize(text)
		if e, ok := errors.AsType[*scripts.SizeError](err); !ok || e.Text != text || e.Error() != e.Problem {
			t.Errorf("%q: got %v", text, err)
		}
	}
}
