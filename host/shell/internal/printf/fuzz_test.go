package printf_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/shell/internal/printf"
)

// FuzzFormat formats anything; what it makes stays about as large as it may be.
func FuzzFormat(f *testing.F) {
	for _, format := range []string{"%s", "%5.2f|%-5s|%03d", "%*d", "%b", `\x41\u00e9\101`, "%q %c", "%"} {
		f.Add(format, "a\\tb", "12")
	}
	f.Fuzz(func(t *testing.T, format, a, b string) {
		const limit = 1 << 16
		if out, _ := printf.Format(format, []string{a, b}, limit); len(out) > 4*limit+len(a)*4+len(b)*4 {
			t.Errorf("%q: %d bytes", format, len(out))
		}
	})
}
