package pattern_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/pattern"
)

type (
	m = map[string]any
	l = []any
)

func TestAValueFitsWhatIsWanted(t *testing.T) {
	for _, test := range []struct {
		name      string
		want, got any
	}{
		{"null", nil, nil},
		{"a whole number and a fraction of the same value", 5, 5.0},
		{"a fraction and a whole number of the same value", 5.0, int64(5)},
		{"large numbers", int64(1<<53 + 1), int64(1<<53 + 1)},
		{"text", "a", "a"},
		{"a map with more in it", m{"a": 1}, m{"a": int64(1), "b": nil}},
		{"a map in a list", l{m{"a": 1}}, l{m{"a": int64(1), "b": 2.0}}},
		{"an empty map and any map", m{}, m{"a": nil}},
		{"an empty list", l{}, l{}},
		{"a list of text", []string{"a"}, l{"a"}},
		{"a glob", pattern.Glob("src/**/*.go"), "src/a/b/c.go"},
		{"a glob with alternatives", pattern.Glob("*.{go,mod}"), "go.mod"},
		{"a glob over lines", pattern.Glob("# Notes*"), "# Notes\nmore"},
		{"a regular expression anywhere", pattern.Regex("b+"), "abbc"},
		{"a regular expression that is anchored", pattern.Regex("(?s)^a.*c$"), "a\nc"},
		{"anything", m{"a": pattern.Any()}, m{"a": nil}},
		{"a quoted pattern", pattern.Exact(m{"glob": "*"}), m{"glob": "*"}},
		{"an exact map", pattern.Exact(m{"a": l{1}}), m{"a": l{1.0}}},
		{"a map with a pattern's key among others", m{"glob": "*", "x": 1}, m{"glob": "*", "x": int64(1)}},
		{"bytes that are text", m{"base64": "aGk="}, "hi"},
		{"bytes that aren't", m{"base64": "/wA="}, m{"base64": "/wA="}},
		{"bytes given as such", []byte{0xff, 0}, m{"base64": "/wA="}},
		{"text in a map", m{"text": "hi"}, "hi"},
		{"a pattern for text in a map", m{"text": pattern.Glob("h*"), "position": 0}, "hi"},
		{"base64 with the position", m{"base64": "aGk=", "position": 0}, "hi"},
		{"bytes of a stream with a position", m{"base64": "aGk="}, m{"text": "hi", "position": int64(1)}},
	} {
		found, err := pattern.Compare("", test.want, test.got)
		if err != nil || len(found) > 0 {
			t.Errorf("%s: %v %v", test.name, found, err)
		}
	}
}

func TestEveryDifferenceIsTold(t *testing.T) {
	type d struct{ Field, Expected, Actual string }
	for _, test := range []struct {
		name      string
		want, got any
		found     []d
	}{
		{"null", nil, "a", []d{{"r", "null", `"a"`}}},
		{"a missing null", m{"a": nil}, m{}, []d{{"r.a", "null", "absent"}}},
		{"zero isn't null", nil, int64(0), []d{{"r", "null", "0"}}},
		{"false isn't null", false, nil, []d{{"r", "false", "null"}}},
		{"a number isn't its text", 5, "5", []d{{"r", "5", `"5"`}}},
		{"true isn't one", true, int64(1), []d{{"r", "true", "1"}}},
		{"large numbers aren't rounded", int64(1<<53 + 1), float64(1 << 53), []d{{"r", "9007199254740993", "9007199254740992"}}},
		{"the largest number", int64(math.MaxInt64), float64(1 << 63), []d{{"r", "9223372036854775807", "9223372036854776000"}}},
		{"a shorter list", l{"a", "b"}, l{"x"}, []d{{"r[0]", `"a"`, `"x"`}, {"r[1]", `"b"`, "absent"}}},
		{"a longer list", l{"a"}, l{"a", "b", m{}}, []d{{"r[1]", "absent", `"b"`}, {"r[2]", "absent", "{}"}}},
		{"not a list", l{"a", pattern.Glob("*")}, m{}, []d{{"r", `["a",glob "*"]`, "{}"}}},
		{"not a map", m{"a": 1}, l{}, []d{{"r", `{"a":1}`, "[]"}}},
		{
			"maps in the order of their keys", m{"c": 1, "a": l{m{"path": pattern.Regex("^/")}}, "b": pattern.Any()},
			m{"a": l{m{"path": "x"}}},
			[]d{{"r.a[0].path", `regex "^/"`, `"x"`}, {"r.b", "anything", "absent"}, {"r.c", "1", "absent"}},
		},
		{"a glob that stops at slashes", pattern.Glob("src/*.go"), "src/a/b.go", []d{{"r", `glob "src/*.go"`, `"src/a/b.go"`}}},
		{"a glob of what isn't text", pattern.Glob("*"), int64(5), []d{{"r", `glob "*"`, "5"}}},
		{"an exact map with more in it", pattern.Exact(m{"a": 1}), m{"a": int64(1), "b": 2.5}, []d{{"r", `{"a":1}`, `{"a":1,"b":2.5}`}}},
		{"other bytes", m{"base64": "/wA="}, "text", []d{{"r", `{"base64":"/wA="}`, `"text"`}}},
		{"other text in a map", m{"text": "ha", "position": 1}, "hi", []d{{"r.position", "1", "0"}, {"r.text", `"ha"`, `"hi"`}}},
		{"a map that isn't only content", m{"text": "hi", "x": 1}, "hi", []d{{"r", `{"text":"hi","x":1}`, `"hi"`}}},
		{"text isn't escaped more than needed", "<é>", "&", []d{{"r", `"<é>"`, `"&"`}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			found, err := pattern.Compare("r", test.want, test.got)
			if err != nil {
				t.Fatal(err)
			}
			var got []d
			for _, f := range found {
				got = append(got, d(f))
			}
			if diff := cmp.Diff(test.found, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestALongValueIsCut(t *testing.T) {
	found, err := pattern.Compare("r", "", strings.Repeat("é", 5000))
	if err != nil || len(found) != 1 {
		t.Fatal(found, err)
	}
	if got := found[0].Actual; len(got) > 2100 || !strings.HasSuffix(got, "é… (7955 more bytes)") {
		t.Errorf("it has %d bytes and ends with %q", len(got), got[len(got)-30:])
	}
}

func TestABadPatternIsAnErrorWithItsField(t *testing.T) {
	cycle := m{}
	cycle["a"] = cycle
	for field, want := range map[string]any{
		"r.glob":         pattern.Glob("["),
		"r.a.regex":      m{"a": pattern.Regex("(")},
		"r[1].any":       l{"x", m{"any": false}},
		"r.b.any":        m{"b": m{"any": nil}},
		"r.base64":       m{"base64": "*"},
		"r.a.base64":     m{"a": m{"base64": 5}},
		"r.x.glob":       m{"x": m{"glob": 5}},
		"r.x.regex":      m{"x": m{"regex": nil}},
		"r.y":            m{"y": struct{}{}},
		"r[0].exact[0]":  l{pattern.Exact(l{math.NaN()})},
		"r.exact.k":      pattern.Exact(m{"k": make(chan int)}),
		"r[0]":           l{math.Inf(1)},
		"r.cycle" + deep: m{"cycle": cycle},
	} {
		_, err := pattern.Compile("r", want)
		e, ok := errors.AsType[*pattern.Error](err)
		if !ok || e.Field != field && !strings.HasSuffix(field, deep) {
			t.Errorf("%s: got %v", field, err)
		}
	}
}

func TestABadGlobSaysWhy(t *testing.T) {
	for glob, want := range map[string]string{
		"[a": "a [ has no ] after it", "a[": "a [ has no ] after it", `[a\]`: "a [ has no ] after it", "[^": "a [ has no ] after it",
		"[]": "a class has nothing between [ and ]", "x[!]": "a class has nothing between [ and ]",
		"{a,b": "a { has no } after it", "{[ab]}}": "a } has no { before it", `a\`: `it ends with a \ that nothing follows`,
	} {
		_, err := pattern.Compile("", pattern.Glob(glob))
		if err == nil || !strings.HasSuffix(err.Error(), "isn't a valid glob: "+want) {
			t.Errorf("%s: got %v, want %s", glob, err, want)
		}
	}
}

const deep = "…"

func newCall(t *testing.T, method host.Method, args l, kwargs m) host.Call {
	t.Helper()
	request, err := host.NewRequest(method, args, kwargs)
	if err != nil {
		t.Fatal(err)
	}
	call, err := host.NewCall(0, request)
	if err != nil {
		t.Fatal(err)
	}
	return call
}

func TestAMatcherComparesWhatItMentions(t *testing.T) {
	exec := newCall(t, host.MethodExec, l{"git", "status"}, m{"timeout": 5.0})
	patch := newCall(t, host.MethodApplyPatch, l{l{m{"type": "update_file", "path": "a.c", "diff": "x"}, m{"type": "delete_file", "path": "b.c"}}}, nil)
	binary := newCall(t, host.MethodWrite, l{"a.bin", m{"base64": "/wA="}}, nil)
	for _, test := range []struct {
		name   string
		call   host.Call
		args   any
		kwargs m
		want   []host.Difference
	}{
		{"nothing", exec, nil, nil, nil},
		{"all positions", exec, l{"git", "status"}, m{}, nil},
		{"a list of text", exec, []string{"git", "status"}, nil, nil},
		{"some positions", exec, map[int]any{1: pattern.Glob("st*")}, nil, nil},
		{"some positions as text", exec, m{"0": "git"}, m{"timeout": 5, "user": nil, "shell": true}, nil},
		{"fewer", exec, l{"git"}, nil, []host.Difference{{Field: "args[1]", Expected: "absent", Actual: `"status"`}}},
		{"a position that isn't there", exec, m{"2": pattern.Any()}, nil, []host.Difference{{Field: "args[2]", Expected: "anything", Actual: "absent"}}},
		{
			"positions in their order, then names", exec, m{"10": "x", "1": "y", "0": "git"}, m{"user": "root", "timeout": 4},
			[]host.Difference{
				{Field: "args[1]", Expected: `"y"`, Actual: `"status"`}, {Field: "args[10]", Expected: `"x"`, Actual: "absent"},
				{Field: "kwargs.timeout", Expected: "4", Actual: "5"}, {Field: "kwargs.user", Expected: `"root"`, Actual: "null"},
			},
		},
		{"a part of an operation", patch, l{l{m{"path": "a.c"}, m{"path": "c.c"}}}, nil, []host.Difference{{Field: "args[0][1].path", Expected: `"c.c"`, Actual: `"b.c"`}}},
		{"bytes", binary, m{"1": m{"base64": "/wA="}}, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			matcher, err := pattern.New(test.args, test.kwargs)
			if err != nil {
				t.Fatal(err)
			}
			verdict, err := matcher.Match(t.Context(), test.call)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, verdict.Differences); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if rejected := verdict.Answer != host.Accept().Answer; rejected != (test.want != nil) || rejected != (verdict.Reason != "") {
				t.Errorf("the verdict is %+v", verdict)
			}
		})
	}
}

func TestAMatcherForImpossibleArgumentsIsAnError(t *testing.T) {
	for field, args := range map[string]any{
		"args":         "pwd",
		"args.first":   m{"first": "x"},
		"args.00":      m{"00": "x"},
		"args[-1]":     map[int]any{-1: "x"},
		"args[1].glob": map[int]any{1: pattern.Glob("[")},
	} {
		_, err := pattern.New(args, nil)
		if e, ok := errors.AsType[*pattern.Error](err); !ok || e.Field != field {
			t.Errorf("%s: got %v", field, err)
		}
	}
	if _, err := pattern.New(nil, m{"user": pattern.Regex("(")}); err == nil || !strings.HasPrefix(err.Error(), "kwargs.user.regex isn't a valid") {
		t.Errorf("got %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("Must doesn't panic")
		}
	}()
	pattern.Must(pattern.New("pwd", nil))
}

func TestARejectedStepStays(t *testing.T) { // S3.6
	s, err := host.NewScripted([]host.Step{{
		Method: host.MethodExec, Match: pattern.Must(pattern.New(l{"pwd"}, nil)), Outcome: host.Return(host.ExecResult{}),
	}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Exec(t.Context(), host.ExecRequest{Command: []string{"ls"}})
	rejected, ok := errors.AsType[*host.MatcherRejectedError](err)
	if !ok || rejected.Reason != "an argument differs" || s.RemainingSteps() != 1 {
		t.Errorf("got %v", err)
	}
}

func TestAGlobHasAlternatives(t *testing.T) {
	for _, test := range []struct {
		glob, text string
		fits       bool
	}{
		{"{a,b}{c,d}", "bc", true},
		{"{a,b}{c,d}", "ab", false},
		{"x{a,{b,c{d,e}}}y", "xcey", true},
		{"x{a,{b,c{d,e}}}y", "xcy", false},
		{"a{,b}", "a", true},
		{"{a}", "a", true},
		{"{**/,}*.go", "a/b.go", true},
		{"{a,**}/b", "x/y/b", true},
		{`{a\,b,c}`, "a,b", true},
		{`\{a{b,c}`, "{ac", true},
		{"{[,}],x}", "}", true},
		{"[{]{a,b}", "{b", true},
		{"{a,b}*{c,d}", "axxd", true},
	} {
		found, err := pattern.Compare("", pattern.Glob(test.glob), test.text)
		if err != nil || (len(found) == 0) != test.fits {
			t.Errorf("%s and %s: %v %v", test.glob, test.text, found, err)
		}
	}
}

// What is refused isn't written out first: the worst has more than 10⁸ alternatives.
func TestAGlobWithTooManyAlternativesIsRefusedForLittle(t *testing.T) {
	for name, glob := range map[string]string{
		"the same":    strings.Repeat("{a,a}", 25),
		"overlapping": strings.Repeat("{a,aa}", 30),
		"nested":      strings.Repeat("{a,", 2000) + strings.Repeat("}", 2000),
		"a list":      "{" + strings.Repeat("a,", 1000) + "a}",
		"a long list": "{" + strings.Repeat("a,", 1<<20) + "a}",
		"long":        strings.Repeat("{a,b}", 9) + strings.Repeat("c", 200),
	} {
		var err error
		allocations := testing.AllocsPerRun(1, func() { _, err = pattern.Compile("r", pattern.Glob(glob)) })
		if e, ok := errors.AsType[*pattern.Error](err); !ok || e.Field != "r.glob" || !strings.Contains(e.Problem, "more than 1000 alternatives") {
			t.Errorf("%s: got %v", name, err)
		}
		if allocations > 5000 {
			t.Errorf("%s took %v allocations", name, allocations)
		}
	}
	if _, err := pattern.Compile("r", pattern.Glob(strings.Repeat("{a,b}", 9))); err != nil {
		t.Error(err)
	}
}

// A matcher that tries all ways in which the stars can share the text doesn't end in
// a lifetime: go test's own limit then names the case.
func TestAGlobEndsOnTextThatAlmostFits(t *testing.T) {
	for name, test := range map[string]struct{ glob, text string }{
		"stars":                  {strings.Repeat("*a", 100) + "b", strings.Repeat("a", 100_000)},
		"folders":                {strings.Repeat("**/", 100) + "b", strings.Repeat("a/", 100_000)},
		"stars below folders":    {"**/" + strings.Repeat("*a*a/", 100) + "b", strings.Repeat("aaaa/", 20_000)},
		"stars between folders":  {strings.Repeat("**/*a/", 50) + "b", strings.Repeat("aaaa/", 20_000)},
		"stars or folders":       {strings.Repeat("{*a,**/}", 9) + "b", strings.Repeat("a/", 5_000)},
		"stars and any rune":     {strings.Repeat("*?", 100) + "b", strings.Repeat("é", 100_000)},
		"stars and what isn't b": {strings.Repeat("**/*", 50) + strings.Repeat("[!b]*", 50) + "b", strings.Repeat("aa/", 20_000)},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := pattern.Compare("", pattern.Glob(test.glob), test.text)
			if err != nil || len(found) == 0 {
				t.Errorf("%v %v", found, err)
			}
		})
	}
}
