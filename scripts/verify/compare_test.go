package verify_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// transcript is one with facts written as "call field=value", "start field=value" and
// "end field=value"; a "~" before the field says that it is in the engine's words.
func transcript(engine string, lines ...string) *verify.Transcript {
	t := &verify.Transcript{Engine: engine, Verdict: "held"}
	for _, line := range lines {
		call, rest, _ := strings.Cut(line, " ")
		field, value, _ := strings.Cut(rest, "=")
		fact := verify.Fact{Value: value, EngineWords: strings.HasPrefix(field, "~"), Field: strings.TrimPrefix(field, "~")}
		switch call {
		case "start":
			fact.Call = verify.AtStart
		case "end":
			fact.Call = verify.AtEnd
		default:
			fact.Call = int(call[0] - '0')
		}
		t.Facts = append(t.Facts, fact)
	}
	return t
}

func TestCompareTellsFieldByFieldWhereRunsPart(t *testing.T) {
	base := []string{"start files=1", "0 method=exec", "0 result=a", "1 method=read", "1 ~words=x", "end verdict=held"}
	for name, test := range map[string]struct {
		engine string
		got    []string
		want   []verify.Difference
	}{
		"the same":        {"one", base, nil},
		"at the start":    {"one", []string{"start files=2", "0 method=exec", "0 result=a", "1 method=read", "1 ~words=x", "end verdict=held"}, []verify.Difference{{verify.Changed, verify.AtStart, "files", "1", "2"}}},
		"a value":         {"one", []string{"start files=1", "0 method=exec", "0 result=b", "1 method=read", "1 ~words=x", "end verdict=held"}, []verify.Difference{{verify.Changed, 0, "result", "a", "b"}}},
		"another field":   {"one", []string{"start files=1", "0 method=exec", "0 error=a", "1 method=read", "1 ~words=x", "end verdict=held"}, []verify.Difference{{verify.Missing, 0, "result", "a", ""}, {verify.Added, 0, "error", "", "a"}}},
		"a call less":     {"one", []string{"start files=1", "0 method=exec", "0 result=a", "end verdict=held"}, []verify.Difference{{verify.Missing, 1, "method", "read", ""}, {verify.Missing, 1, "words", "x", ""}}},
		"a call more":     {"one", append(base[:5:5], "2 method=ls", "end verdict=held"), []verify.Difference{{verify.Added, 2, "method", "", "ls"}}},
		"at the end":      {"one", append(base[:5:5], "end verdict=not held"), []verify.Difference{{verify.Changed, verify.AtEnd, "verdict", "held", "not held"}}},
		"nothing":         {"one", nil, []verify.Difference{{verify.Missing, verify.AtStart, "files", "1", ""}, {verify.Missing, 0, "method", "exec", ""}, {verify.Missing, 0, "result", "a", ""}, {verify.Missing, 1, "method", "read", ""}, {verify.Missing, 1, "words", "x", ""}, {verify.Missing, verify.AtEnd, "verdict", "held", ""}}},
		"words":           {"one", append(base[:4:4], "1 ~words=y", "end verdict=held"), []verify.Difference{{verify.Changed, 1, "words", "x", "y"}}},
		"words of others": {"two", append(base[:4:4], "1 ~words=y", "end verdict=held"), nil},
		"words left out":  {"two", append(base[:4:4], "end verdict=held"), nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := verify.Compare(transcript("one", base...), transcript(test.engine, test.got...))
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheFirstDifferencesAreThoseOfOneCall(t *testing.T) {
	list := []verify.Difference{{Call: 1, Field: "a"}, {Call: 1, Field: "b"}, {Call: 2, Field: "c"}}
	if got := verify.First(list); len(got) != 2 {
		t.Errorf("got %v", got)
	}
	if got := verify.First(list[2:]); len(got) != 1 {
		t.Errorf("got %v", got)
	}
	if got := verify.First(nil); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestTheDigestIsOfAllButTheEnginesWords(t *testing.T) {
	base := transcript("one", "0 a=1", "0 ~b=2").Digest()
	if transcript("two", "0 a=1", "0 ~b=3").Digest() != base {
		t.Error("the engine's words are in the digest")
	}
	for _, other := range [][]string{nil, {"0 a=2"}, {"1 a=1"}, {"0 b=1"}, {"0 a1="}, {"0 a=1", "0 b=2"}, {"end a=1"}} {
		if transcript("one", other...).Digest() == base {
			t.Errorf("%v has the same digest", other)
		}
	}
}

func TestAPortableTranscriptKeepsNoLongValues(t *testing.T) {
	long := strings.Repeat("ä\\", 5000)
	whole := transcript("one", "0 a="+long, "0 ~b=2", "0 c=3")
	short := whole.Portable(200)
	if again := short.Portable(200); !cmp.Equal(again, short) || short.Engine != "" || len(short.Facts) != 2 {
		t.Errorf("got %+v and then %+v", short, again)
	}
	value := short.Facts[0].Value
	if len(value) > 200 || !strings.HasPrefix(value, "ä\\ä") || !strings.Contains(value, " (15000 bytes, sha256 ") {
		t.Errorf("got %s", value)
	}
	if len(verify.Compare(short, transcript("one", "0 a="+long+"ä", "0 c=3").Portable(200))) != 1 {
		t.Error("what follows the beginning makes no difference")
	}
	if len(whole.Facts[0].Value) != len(long) {
		t.Error("the transcript has changed")
	}
}
