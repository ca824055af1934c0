package builtin

import (
	"reflect"
	"regexp"
	"testing"
)

var (
	finderExpressions = []string{
		``, `a`, `a*`, `a+?`, `(a)(b)?`, `^a`, `a$`, `^`, `$`, `\b`, `\B`, `\ba`, `a\b`, `\ba|ab`, `b*`, `(a*)*`, `a|ab`, `ab|a`,
		`.`, `(?m)^.`, `(?m)^.*$`, `(?i)A`, `[^a]*`, `é*`, `(b*)(a*)`, `x*$`, `\Aa`, `a\z`, `(^|b)a`, `a(?:b|$)`, `\b(a|ab|b)+`, `\B.`, `\Qa`,
	}
	finderTexts = []string{``, `a`, `aa`, `ab`, `ba`, `abab aab`, `bbb`, `éaéa`, "a\nab\n", `xaax x`, `a b  a`, `😀a😀`, "\xffa\xe9\xff", "ab\xf0\x9f"}
)

func TestMatchesOneByOneAreThoseOfTheLibrary(t *testing.T) {
	for _, longest := range []bool{false, true} {
		for _, expression := range finderExpressions {
			regex := regexp.MustCompile(expression)
			if longest {
				regex.Longest()
			}
			finder, err := newMatchFinder(regex, longest)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range finderTexts {
				want := regex.FindAllStringSubmatchIndex(text, -1)
				var got, inBytes [][]int
				eachMatch(finder, text, func(match []int) bool { got = append(got, match); return true })
				eachMatch(finder, []byte(text), func(match []int) bool { inBytes = append(inBytes, match); return true })
				if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(inBytes, want) {
					t.Errorf("%q in %q, the longest: %v: got %v and %v, want %v", expression, text, longest, got, inBytes, want)
				}
			}
		}
	}
}

func TestNoMoreMatchesAreLookedForThanAreWanted(t *testing.T) {
	finder, err := newMatchFinder(regexp.MustCompile(`a`), false)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	eachMatch(finder, "aaaa", func([]int) bool { count++; return count < 2 })
	if count != 2 {
		t.Errorf("got %d matches, want 2", count)
	}
}
