package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

// A limitRow is a row of the table of limits in scripts/README.md.
type limitRow struct{ key, flag, field, kind, fallback string }

var limitRowForm = regexp.MustCompile("(?m)^\\| `(\\w+)` \\| (`--[\\w-]+`|none) \\| `(\\w+)` \\| ([\\w ]+) \\| ([^|]+) \\|")

// documentedLimits reads the table.
func documentedLimits(t *testing.T) (rows []limitRow) {
	t.Helper()
	text, err := os.ReadFile("../../scripts/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range limitRowForm.FindAllStringSubmatch(string(text), -1) {
		rows = append(rows, limitRow{m[1], strings.Trim(m[2], "`-"), m[3], m[4], m[5]})
	}
	return rows
}

// The table of limits says what a script, a flag and a field of Go have in common: each
// sets the field that it names, and no other, and each limit that there is has a row.
func TestTheTableOfLimitsIsThatOfTheCode(t *testing.T) {
	defaults := sessionLimits(t, "")
	var keys, flags, fields []string
	for _, row := range documentedLimits(t) {
		keys, fields = append(keys, row.key), append(fields, row.field)
		if got := changedFields(defaults, sessionLimits(t, "limits: {"+row.key+": 7}")); !slices.Equal(got, []string{row.field}) {
			t.Errorf("the key %s sets %v, not %s", row.key, got, row.field)
		}
		if row.flag != "none" {
			flags = append(flags, row.flag)
			if got := changedFields(host.Limits{}, limitsOfFlag(t, row)); !slices.Equal(got, []string{row.field}) {
				t.Errorf("the flag %s sets %v, not %s", row.flag, got, row.field)
			}
		}
		if got, want := limitDefault(t, row, defaults), documentedDefault(t, row); got != want {
			t.Errorf("%s is %d by default, and said to be %d", row.key, got, want)
		}
	}
	if want := limitKeys(t); !sameNames(keys, want) {
		t.Errorf("the table has the keys %v, the schema %v", keys, want)
	}
	if !sameNames(flags, limitFlagNames) {
		t.Errorf("the table has the flags %v, the command %v", flags, limitFlagNames)
	}
	if want := changedFields(host.Limits{}, filled()); !sameNames(fields, want) {
		t.Errorf("the table has the fields %v, Go %v", fields, want)
	}
}

// sessionLimits are those of a session of a script with such a line.
func sessionLimits(t *testing.T, line string) host.Limits {
	t.Helper()
	script, err := scripts.Parse(t.Context(), "script.yaml", []byte("version: 1\n"+line+"\n"))
	if err != nil {
		t.Fatal(err)
	}
	session, err := script.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close(context.Background()) }()
	return session.Settings().Limits
}

func limitsOfFlag(t *testing.T, row limitRow) host.Limits {
	t.Helper()
	cmd := new(cobra.Command)
	f := addLimitFlags(cmd)
	value := "7"
	if row.kind == "seconds" {
		value = "7s"
	}
	if err := cmd.Flags().Set(row.flag, value); err != nil {
		t.Fatal(err)
	}
	limits, err := f.parse()
	if err != nil {
		t.Fatal(err)
	}
	return limits
}

// changedFields are the names of the fields in which limits differ.
func changedFields(a, b host.Limits) (names []string) {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if x.Field(i).Int() != y.Field(i).Int() {
			names = append(names, x.Type().Field(i).Name)
		}
	}
	return names
}

func filled() (l host.Limits) {
	v := reflect.ValueOf(&l).Elem()
	for i := range v.NumField() {
		v.Field(i).SetInt(1)
	}
	return l
}

// limitDefault is what holds if nobody sets the limit; 0 is none.
func limitDefault(t *testing.T, row limitRow, defaults host.Limits) int64 {
	t.Helper()
	if row.key == "depth" {
		return host.MaxCallDepth
	}
	engine, err := host.DefaultEngine(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = engine.Close(context.Background()) }()
	switch row.key {
	case "memory":
		return int64(engine.Bounds().MemoryPages) * (64 << 10)
	case "table":
		return int64(engine.Bounds().TableEntries)
	default:
		return reflect.ValueOf(defaults).FieldByName(row.field).Int()
	}
}

func documentedDefault(t *testing.T, row limitRow) int64 {
	t.Helper()
	text := strings.Trim(strings.TrimSuffix(strings.TrimSpace(row.fallback), ", the most"), "`")
	if text == "none" {
		return 0
	}
	if row.kind == "size" {
		size, err := scripts.ParseSize(text)
		if err != nil {
			t.Fatal(fmt.Errorf("%s: %w", row.key, err))
		}
		return size
	}
	number, err := strconv.ParseInt(strings.ReplaceAll(text, " ", ""), 10, 64)
	if err != nil {
		t.Error(err)
		return math.MinInt64
	}
	return number
}

// limitKeys are those of the schema.
func limitKeys(t *testing.T) (keys []string) {
	t.Helper()
	var schema struct {
		Defs map[string]struct{ Properties map[string]any } `json:"$defs"`
	}
	if err := json.Unmarshal(scripts.Schema(), &schema); err != nil {
		t.Fatal(err)
	}
	for key := range schema.Defs["limits"].Properties {
		keys = append(keys, key)
	}
	return keys
}

func sameNames(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
