package builtin

import "testing"

func TestExpressionsThatLookAtATextAgainAndAgainAreKnown(t *testing.T) {
	for expression, again := range map[string]bool{
		`a`: false, `[ \t]+`: false, ` *, *`: false, `, *|: *`: false, `"[^"]*"`: false, `<[^>]*>`: false, `a.*b`: false, `(ab)+`: false,
		`[a-z]+[0-9]+`: false, `.*`: false, `(a|b)*c`: false, `#.*|,`: false, ` +$`: false, `^ +| +$`: false, `(, )*x?`: false, `[[:space:]]+`: false,
		`a.*b|a`: true, `a|a.*b`: true, `(a.*b)?`: true, `a(.*b)?`: true, `(.*b)?a`: true, `.*b|A`: true, `(?i)a[a-c]*d|A`: true,
		`a(a+b)*`: true, `(a*b)*`: true, `x*\b`: false, `/\*.*\*/`: false, `(<.*>)`: false, `//.*//|/`: true, `a+.*b{2}|a`: true,
	} {
		if got := costOf(expression).again; got != again {
			t.Errorf("%s: got %v, want %v", expression, got, again)
		}
	}
}
