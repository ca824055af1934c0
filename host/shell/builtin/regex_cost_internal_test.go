package builtin

import (
	"strings"
	"testing"
)

func TestEachByteIsLookedAtForAsManyMatchesAsFitIntoTheLongest(t *testing.T) {
	for expression, want := range map[string]float64{
		`a`: 1, `abc`: 1, `[ab]+`: 1, `[a-z]+[0-9]+`: 1, `a.*b`: 1, ` *, *`: 1, `x{3,6}`: 1, `a{0,400}b`: 1, `.{1,80} `: 1, `https?://`: 1,
		`[0-9]{1,3}(,[0-9]{3})*`: 1, `aaaab|a`: 1, `(a|bc){0,4}d|[a-c]`: 9, `a(.|..){0,400}b|a`: 802, `a{2}(.|..){0,4}b|a{5}`: 11. / 3,
		`a.?.?.?b|a`: 5, `(.(..)?b)?`: 4, ``: 1, `^$`: 1, `(`: 0,
	} {
		if got := costOf(expression).reach; got != want {
			t.Errorf("%s: got %v, want %v", expression, got, want)
		}
	}
	if c := (regexCost{size: 5, reach: 400}); c.steps(1000) != 5*1000*400 || c.steps(100) != 5*100*100 || c.once().steps(1000) != 5*1000 {
		t.Errorf("got %v, %v, %v", c.steps(1000), c.steps(100), c.once().steps(1000))
	}
	if literal := costOf(strings.Repeat("a", 100)); literal.steps(1000) != float64(literal.size)*1000 {
		t.Errorf("got %v for a literal", literal.steps(1000))
	}
}

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
