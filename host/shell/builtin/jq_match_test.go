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
		"\"" + strings.Repeat(`\($s)`, 20) + "\"", "@base64 \"" + strings.Repeat(`\($s)`, 20) + "\"", "{\"" + strings.Repeat(`\($s)`, 20) + "\": 1}",
		"{} | .\"" + strings.Repeat(`\($s)`, 20) + "\"",
		`"bbbbbbbbbbbbbbbbbbbb" | gsub("b"; $s)`, `"bbbbbbbbbbbbbbbbbbbb" | [sub("b"; $s; "g")]`, `"b" + $s * 16 | sub("b"; $s)`,
		`"b" + $s * 16 + "b" | gsub("b$"; $s)`, `[range(20) | $s] | add(.[])`, `[range(1000000)] as $l | add(range(10) | $l)`,
		`[range(20) | {key: "k\(.)", value: "x"}] | from_entries | join($s)`, `[range(20) | {key: "k\(.)", value: $s}] | from_entries | join("")`,
		`[[range(20) | $s]] | INDEX(.)`, `(reduce range(40) as $i (1; [.,.])) as $x | [$x] | INDEX(.[]; .)`,
		`[[range(1000000)], (range(10) | [])] | transpose`, `null | getpath([100000000]) |= 1`, `null | pick(getpath([100000000]))`,
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
		`"bb" | gsub("b"; $s) | length`: "8000000", `"abc" | [sub("(?<x>b)"; "1", "2")] == ["a1c", "a2c"]`: "true", `"abc" | [sub("b"; empty)]`: "[\n  \"abc\"\n]",
		`"abab" | [gsub("b"; "", "<b>")] == ["aa", "a<b>a<b>"]`: "true", `"" | gsub("^"; "x")`: `"x"`, `"abc" | gsub("d"; "x")`: `"abc"`,
		`"a\(1, 2)b\(3, 4)" | length`: "4\n4\n4\n4", `["\(1, 2)b\(3, 4)"] == ["1b3", "2b3", "1b4", "2b4"]`: "true", `@csv "x\(["a"])y\([1])"`: `"x\"a\"y1"`,
		`{"a\(1)b": 2}."a\(1)b"`: "2", `{a1b: 2} | ."a\(1)b", .["a\(1)b"], ."\("a1b")"`: "2\n2\n2", `@json "a\("x")\(@text "p\(1)q")"`: `"a\"x\"\"p1q\""`,
		`{"a\(1, 2)b": 3} | keys[0]`: "\"a1b\"\n\"a2b\"", `"a\("b\(1)c")d"`: `"ab1cd"`,
		`add(range(4))`: "6", `add(empty)`: "null", `[[1], [2]] | add(.[]) == [1, 2]`: "true", `{a: 1, b: "x"} | join("-")`: `"1-x"`,
		`[{id: 1}] | INDEX(.id) == {"1": {id: 1}}`: "true", `2 | IN(1, 2), IN(3)`: "true\nfalse", `IN(1, 2; 2, 3)`: "true",
		`[[1, 2], [3]] | transpose == [[1, 3], [2, null]]`: "true", `{a: [1]} | getpath(["a", 0])`: "1", `{a: 1} | pick(getpath(["a"])) == {a: 1}`: "true",
	} {
		if out, _, err := oursWith(t, shell.Limits{}, `jq -n `+argv.Quote(text+filter)+` 2>&1`); out != want+"\n" || err != nil {
			t.Errorf("%s: got %.300q, %v", filter, out, err)
		}
	}
}
