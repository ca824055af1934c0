package builtin_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/wasmsandbox/wasmsandbox/host/argv"
	"github.com/wasmsandbox/wasmsandbox/host/shell"
	"github.com/wasmsandbox/wasmsandbox/host/shell/builtin"
)

// The library's own function is still there for what isn't text.
func TestJQFindsTheMatchesThatTheLibraryFinds(t *testing.T) {
	var expressions, texts strings.Builder
	for _, e := range []string{
		``, `a`, `a*`, `a+?`, `(a)(b)?`, `(?<x>a|b)(?<y>c)?`, `^a`, `a$`, `^`, `$`, `\b`, `\B`, `\ba`, `a\b`, `b*`, `(a*)*`, `a|ab`, `ab|a`,
		`.`, `(?m)^.`, `(?i)A`, `[^a]*`, `é*`, `(b*)(a*)`, `x*$`, `\Aa`, `a\z`, `(^|b)a`, `a(?:b|$)`,
	} {
		fmt.Fprintf(&expressions, "%q,", e)
	}
	for _, text := range []string{``, `a`, `aa`, `ab`, `ba`, `abab aab`, `bbb`, `éaéa`, "a\nab\n", `xaax x`, `a b  a`, `😀a😀`} {
		fmt.Fprintf(&texts, "%q,", text)
	}
	filter := `[` + strings.TrimSuffix(texts.String(), ",") + `] as $texts | [` + strings.TrimSuffix(expressions.String(), ",") + `] as $expressions |
$texts[] as $t | $expressions[] as $e | (null, "", "g", "gi", "gm") as $f |
([$t | match($e; $f)]) as $ours | ([$t | _match($e; $f; false)[]]) as $theirs | select($ours != $theirs) | {$t, $e, $f, $ours, $theirs}`
	if out, code, err := oursWith(t, shell.Limits{}, `jq -nc `+argv.Quote(filter)); out != "" || code != 0 || err != nil {
		t.Errorf("got %d, %v, %s", code, err, out)
	}
}

func TestJQSaysWhatIsWrongWithAMatch(t *testing.T) {
	for filter, want := range map[string]string{
		`"a" | match("a"; "q")`:          `unsupported regular expression flag: "q"`,
		`"a" | match("(")`:               `invalid regular expression "("`,
		`1 | match("a")`:                 `cannot be applied`,
		`"a" | [match(1)]`:               `cannot be applied`,
		`"a" | try sub("("; "") catch .`: `invalid regular expression "("`,
	} {
		if out, _, err := oursWith(t, shell.Limits{}, `jq -n `+argv.Quote(filter)+` 2>&1`); !strings.Contains(strings.ReplaceAll(out, `\"`, `"`), want) || err != nil {
			t.Errorf("%s: got %q, %v", filter, out, err)
		}
	}
}

// The library counted the characters before each of the matches: that took hours.
func TestAContextEndsJQAmongMatches(t *testing.T) {
	for _, filter := range []string{
		`[match("a"; "g")] | length`, `[scan("a|b.*c")] | length`, `[splits("a")] | length`, `gsub("a"; "b") | length`, `split("a"; null) | length`,
	} {
		s := &shell.Shell{Files: newTree(t), Lookup: shell.Tools(builtin.Tools())}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		_, err := s.Run(ctx, shell.Process{Args: []string{"jq", "-n", `"a" * 20000000 | ` + filter}})
		if cancel(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v", filter, err)
		}
	}
}

// One text of much memory, many times.
func TestJQMakesNoTextOrArrayThatIsTooLarge(t *testing.T) {
	const text = `("a" * 4000000) as $s | `
	for _, filter := range []string{
		`[range(20) | $s] | add`, `{a: $s, b: [range(20)]} | [.a, .a] | [.[], .[], .[], .[], .[], .[], .[], .[], .[]] | add`,
		`[range(20) | $s] | join("")`, `[range(1000000)] | join("a" * 100)`, `[range(20) | $s] | tojson`, `[range(20) | $s] | tostring`,
		`[range(20) | $s] | @csv`, `[range(20) | $s] | @text`, `"\([range(20) | $s])"`, `{a: [range(20) | $s]} | @json`,
		`$s + $s + $s | split("")`, `$s + $s + $s | split("a")`, `$s + $s + $s | . / "a"`, `($s + $s + $s) | . /= ""`, `$s + $s + $s | explode`,
		`$s + $s + $s | indices("a")`, `[range(1000000)] as $l | [range(10) | $l] | add`,
	} {
		out, _, err := oursWith(t, shell.Limits{}, `jq -n `+argv.Quote(text+filter+` | length`)+` 2>&1`)
		if err != nil || !strings.Contains(out, "the value is too large") {
			t.Errorf("%s: got %.300q, %v", filter, out, err)
		}
	}
	for filter, want := range map[string]string{
		`[$s, $s] | add | length`: "8000000", `[$s, $s] | join("-") | length`: "8000001", `$s | explode | length`: "4000000", `$s | tojson | length`: "4000002",
		`$s / "" | length`: "4000000", `["a", 1, null, true] | join(",")`: `"a,1,,true"`, `[1, 2] | add`: "3", `[[1], [2]] | add | length`: "2", `6 / 2`: "3",
		`"a,b" | split(",") | length`: "2", `{a: 1, b: 2} | add`: "3", `8 | . /= 2`: "4",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, `jq -n `+argv.Quote(text+filter)+` 2>&1`); out != want+"\n" || err != nil {
			t.Errorf("%s: got %.300q, %v", filter, out, err)
		}
	}
}
