package guest

import (
	"slices"
	"testing"
)

var settings = Settings{entries: []Entry{
	kv("branch", "main"),
	kv("depth", int64(3)),
	kv("empty", nil),
	kv("force", true),
	kv("list", []Value{"a", "b"}),
	kv("mixed", []Value{"a", int64(1)}),
	kv("sub", []Entry{kv("depth", int64(4))}),
}}

func kv(key string, value Value) Entry { return Entry{Key: key, Value: value} }

func TestSettingsGiveValuesAndDefaults(t *testing.T) {
	s := settings
	if s.String("branch", "x") != "main" || s.String("none", "x") != "x" || s.String("empty", "x") != "x" {
		t.Error("String")
	}
	if s.Int("depth", 1) != 3 || s.Int("none", 1) != 1 {
		t.Error("Int")
	}
	if !s.Bool("force", false) || !s.Bool("none", true) {
		t.Error("Bool")
	}
	if !slices.Equal(s.Strings("list"), []string{"a", "b"}) || !slices.Equal(s.Strings("none", "c"), []string{"c"}) {
		t.Error("Strings")
	}
	if s.Section("sub").Int("depth", 1) != 4 || len(s.Section("none").Keys()) != 0 {
		t.Error("Section")
	}
	if v, ok := s.Value("empty"); v != nil || !ok {
		t.Error("Value")
	}
	if got := s.Section("sub").Keys(); !slices.Equal(got, []string{"depth"}) {
		t.Errorf("Keys %q", got)
	}
}

func TestSettingsOfAnotherTypeAreRefused(t *testing.T) {
	tests := map[string]struct {
		get  func(Settings)
		want string
	}{
		"text":    {func(s Settings) { s.String("depth", "") }, "config: depth must be a text"},
		"integer": {func(s Settings) { s.Int("branch", 0) }, "config: branch must be an integer"},
		"bool":    {func(s Settings) { s.Bool("branch", false) }, "config: branch must be true or false"},
		"list":    {func(s Settings) { s.Strings("branch") }, "config: branch must be a list of texts"},
		"element": {func(s Settings) { s.Strings("mixed") }, "config: mixed must be a list of texts"},
		"map":     {func(s Settings) { s.Section("branch") }, "config: branch must be a map"},
		"nested":  {func(s Settings) { s.Section("sub").Bool("depth", false) }, "config: sub.depth must be true or false"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) { mustPanic(t, tt.want, func() { tt.get(settings) }) })
	}
}
