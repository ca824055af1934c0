package pattern_test

import (
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host/pattern"
)

func TestATextThatWouldFitAsAPatternIsHintedAt(t *testing.T) {
	for _, test := range []struct {
		want any
		got  any
		hint string // "": none
	}{
		{"st*", "status", `; {glob: "st*"} would fit`},
		{"{a,b}.go", "b.go", `; {glob: "{a,b}.go"} would fit`},
		{"file[0-9]", "file7", `; {glob: "file[0-9]"} would fit`},
		{"^st.*s$", "status", `; {regex: "^st.*s$"} would fit`},
		{"hello .+", "hello Ada", `; {regex: "hello .+"} would fit`},

		{"st*", "commit", ""}, // it would fit neither
		{"a.c", "abc", ""},    // as a regular expression hardly anybody means it
		{"[", "x", ""},        // it is no glob
		{"^(", "^", ""},       // nor a regular expression
		{"st*", int64(5), ""}, // what it is compared with is no text
		{int64(5), "5", ""},   // nor is it itself
		{map[string]any{"exact": "st*"}, "status", ""}, // it was meant exactly
		{map[string]any{"glob": "st*"}, "commit", ""},
	} {
		p, err := pattern.Compile("result", test.want)
		if err != nil {
			t.Fatal(err)
		}
		found := p.Compare(test.got)
		want := p.String()
		if test.hint != "" {
			want += ", exactly" + test.hint
		}
		if len(found) != 1 || found[0].Expected != want {
			t.Errorf("%v and %v: got %+v, want %q", test.want, test.got, found, want)
		}
	}
}
