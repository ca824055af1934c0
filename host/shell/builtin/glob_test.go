package builtin

import (
	"strings"
	"testing"
)

func TestAGlobMatchesWholeTexts(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		fold, want    bool
	}{
		{"", "", false, true},
		{"", "a", false, false},
		{"*", "", false, true},
		{"**", "a/b", false, true},
		{"?", "", false, false},
		{"?", "ä", false, true},
		{"a*", "ba", false, false},
		{"*a", "ba", false, true},
		{"*.go", "x.go.go", false, true},
		{"*.go", "x.gone", false, false},
		{"a*b*c", "a-b-b-c", false, true},
		{"a*b*c", "a-c-b", false, false},
		{"*ab*ab", "aab", false, false},
		{"*aab", "aaab", false, true},
		{"./*/x", "./a/b/x", false, true},
		{"[a-c]?", "bx", false, true},
		{"[!a-c]?", "bx", false, false},
		{"[!a-c]?", "xx", false, true},
		{"[[:digit:]]", "7", false, true},
		{"[]]", "]", false, true},
		{"[a", "[a", false, true},
		{"[a", "a", false, false},
		{`\*`, "*", false, true},
		{`\*`, "x", false, false},
		{`\`, `\`, false, true},
		{"*.GO", "x.go", true, true},
		{"*.GO", "x.go", false, false},
		{"[A]", "a", true, true},
		{"Ä", "ä", true, true},
		{"\xff", "\xff", false, true},
		{"\xff", "\xfe", false, false},
		{"?", "\xfe", false, true},
	} {
		g, err := newGlob(test.pattern, test.fold)
		if err != nil {
			t.Errorf("%q: %v", test.pattern, err)
		} else if got := g.match(test.text); got != test.want {
			t.Errorf("%q for %q: got %v", test.pattern, test.text, got)
		}
	}
}

// A glob takes time as its stars multiply, if each tries all that the others leave.
func TestAGlobOfManyStarsIsMatchedAtOnce(t *testing.T) {
	g, err := newGlob(strings.Repeat("*a", 100_000)+"b", false)
	if err != nil {
		t.Fatal(err)
	}
	if g.match(strings.Repeat("a", 1_000_000)) {
		t.Error("it matches")
	}
}

func FuzzGlob(f *testing.F) {
	for _, seed := range []string{"*a", "[", "[!]", `\`, "a?[[:x:]]", "[z-a]"} {
		f.Add(seed, "aaa", true)
	}
	f.Fuzz(func(t *testing.T, pattern, text string, fold bool) {
		g, err := newGlob(pattern, fold)
		if err != nil {
			return
		}
		g.match(text)
		literal := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(text)
		if same, err := newGlob("*"+literal+"*", fold); err != nil || !same.match(text) {
			t.Errorf("%q isn't found in itself: %v", text, err)
		}
	})
}
