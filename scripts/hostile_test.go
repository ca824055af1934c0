package scripts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// doubling is a small schema that takes 2ⁿ checks.
func doubling(n int, keyword, last string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/a0","$defs":{`)
	for i := range n {
		fmt.Fprintf(&b, `"a%d":{%q:[{"$ref":"#/$defs/a%d"},{"$ref":"#/$defs/a%d"}]},`, i, keyword, i+1, i+1)
	}
	return fmt.Sprintf(`%s"a%d":%s}}`, &b, n, last)
}

func TestASchemaThatTakesTooLongIsGivenUp(t *testing.T) {
	config := &node{kind: mapNode}
	for name, text := range map[string]string{
		"allOf":             doubling(32, "allOf", "{}"),
		"allOf of failures": doubling(32, "allOf", `{"type":"string"}`),
		"oneOf":             doubling(32, "oneOf", `{"type":"object"}`),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := validateConfig(t.Context(), text, "config", config)
			if !errors.Is(err, errSchemaTooSlow) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestTheEndOfTheContextEndsTheCheckOfAConfiguration(t *testing.T) {
	// What fails within not isn't counted, so it isn't told to stop: it is 2²⁴.
	uncounted := `{"not":` + strings.ReplaceAll(doubling(24, "anyOf", `{"type":"string"}`), `"#/`, `"#/not/`) + `}`
	for name, text := range map[string]string{"counted": doubling(32, "allOf", "{}"), "not counted": uncounted} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if _, err := validateConfig(ctx, text, "config", &node{kind: mapNode}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: got %v, as if the check had come to its own end", name, err)
		}
		cancel()
	}
}

func TestADefectOfASchemaIsAnError(t *testing.T) {
	config := &node{kind: mapNode, entries: []entry{{key: "a", value: &node{value: int64(5)}}}}
	for text, want := range map[string]string{
		`{`:                                     "unexpected EOF",
		`5`:                                     "got number, want boolean or object",
		`{"$ref":"#/x"}`:                        "not found",
		`{"$ref":"file:///etc/hostname"}`:       "no URLLoader registered",
		`{"properties":{"a":{"multipleOf":0}}}`: "exclusiveMinimum: got 0, want 0",
		`{"properties":{"a":{"pattern":"("}}}`:  "is not valid regex",
	} {
		found, err := validateConfig(t.Context(), text, "config", config)
		if err == nil || !strings.Contains(err.Error(), want) || len(found) > 0 {
			t.Errorf("%s: got %v, %v", text, found, err)
		}
	}
}

// They are short as text, and some fill a disk when they are written out.
func TestASchemaMayHaveNumbersOfAnySize(t *testing.T) {
	config := &node{kind: mapNode, entries: []entry{{key: "a", value: &node{value: int64(5)}}}}
	for text, want := range map[string]string{
		`{"properties":{"a":{"const":1e9999999}}}`:       "must be 1e9999999, not 5",
		`{"properties":{"a":{"maximum":1e99999999999}}}`: "",
		`{"minimum":1e99999999999}`:                      "",
	} {
		found, err := validateConfig(t.Context(), text, "config", config)
		var got string
		if len(found) > 0 {
			got = found[0].message
		}
		if err != nil || len(found) > 1 || got != want {
			t.Errorf("%s: got %v, %v", text, found, err)
		}
	}
}

func TestALargeSchemaIsRefused(t *testing.T) {
	text := `{"description":"` + strings.Repeat("x", 256<<10) + `"}`
	_, err := validateConfig(t.Context(), text, "config", &node{kind: mapNode})
	if err == nil || !strings.Contains(err.Error(), "longer than 256 KiB") {
		t.Errorf("got %v", err)
	}
	if _, err := validateConfig(t.Context(), text[:20]+`"}`, "config", &node{kind: mapNode}); err != nil {
		t.Error(err)
	}
}

func TestNumbersAreThoseOfYAML12(t *testing.T) {
	for text, want := range map[string]any{
		"010": int64(10), "0777": int64(777), "-07": int64(-7), "+5": int64(5), "0o17": int64(15), "0x1F": int64(31),
		"1_0": "1_0", "0b11": "0b11", "0X1F": "0X1F", "-0x1": "-0x1", "0o8": "0o8", "1e3": 1000.0, ".5": 0.5, "5.": 5.0,
		"1.5e-3": 0.0015, "0x1p3": "0x1p3", "inf": "inf", ".": ".", "+": "+", "1e": "1e", "~": nil, "NULL": nil, "nULL": "nULL",
		"TRUE": true, "yes": "yes", "2026-01-31": "2026-01-31", "1:30": "1:30", "<<": "<<", "9223372036854775807": int64(1<<63 - 1),
		"'5'": "5", "!!str 5": "5", "! '5'": "5", "! 5": "5", "!!int '5'": int64(5), "!!float 5": 5.0, "!!null ''": nil, "-9223372036854775808": int64(-1 << 63),
	} {
		n, err := parseDocument("a.yaml", []byte("a: "+text))
		if err != nil || n.get("a") == nil || n.get("a").value != want {
			t.Errorf("%s: got %+v, %+v", text, n, err)
		}
	}
	for _, text := range []string{"1e400", "-1e400", "99999999999999999999", "18446744073709551615", "0xfffffffffffffffff", "-9223372036854775809", ".inf", ".NAN"} {
		for _, where := range []string{"{a: %s}", "[x, {seed: %s}]"} {
			text := fmt.Sprintf(where, text)
			if _, err := parseDocument("a.yaml", []byte(text)); err == nil || !strings.HasPrefix(err.message, "the number must be") || err.column < 5 {
				t.Errorf("%s: got %+v", text, err)
			}
		}
	}
	n, err := parseDocument("a.yaml", []byte("{010: a, 1_0: b, 0x10: c}"))
	if err != nil || n.get("10") == nil || n.get("1_0") == nil || n.get("16") == nil {
		t.Errorf("keys: got %+v, %+v", n, err)
	}
}

func TestASeedMayHave64Bits(t *testing.T) {
	for text, want := range map[string]uint64{
		"18446744073709551615": 1<<64 - 1, "9223372036854775808": 1 << 63, "0xffffffffffffffff": 1<<64 - 1, "42": 42, "5.0": 5, "0": 0,
	} {
		for _, name := range []string{"a.yaml", "a.json"} {
			if name == "a.json" && strings.HasPrefix(text, "0x") {
				continue
			}
			n, err := parseDocument(name, []byte(`{"version": 1, "seed": `+text+"}"))
			if err != nil {
				t.Errorf("%s: %+v", text, err)
				continue
			}
			if seed, ok := seedOf(n.get("seed")); !ok || seed != want {
				t.Errorf("%s: got %d", text, seed)
			}
			if _, err := Parse(t.Context(), name, []byte(`{"version": 1, "seed": `+text+"}")); err != nil {
				t.Error(err)
			}
		}
	}
	for _, text := range []string{"1e18", "9e30", "99999999999999999999", "18446744073709551616", "1.5", "-1", "-1e18"} {
		for _, name := range []string{"a.yaml", "a.json"} {
			if _, err := Parse(t.Context(), name, []byte(`{"version": 1, "seed": `+text+"}")); err == nil || !strings.Contains(err.Error(), ":1:24: ") {
				t.Errorf("%s: got %v", text, err)
			}
		}
	}
}
