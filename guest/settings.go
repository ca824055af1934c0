package guest

// Settings are the configuration that a script gives a guest. The zero value is
// an empty one. Settings may be kept.
//
// A value that is missing or null gives the default. One of another type than
// asked for ends the call: the host is told that the configuration isn't usable,
// with the value's name. Ask for everything in [OnOpen] to have that before the
// first call.
type Settings struct {
	entries []Entry
	prefix  string // of the names in errors
}

// Config is the configuration of the guest. It is empty until the session is
// opened, so ask for it in a handler or in [OnOpen].
func Config() Settings { return self.config }

// Value is the value of a key, and whether the key is there.
func (s Settings) Value(key string) (Value, bool) {
	for _, e := range s.entries {
		if e.Key == key {
			return e.Value, true
		}
	}
	return nil, false
}

// Keys lists the keys in ascending order. The caller owns the slice.
func (s Settings) Keys() []string {
	keys := make([]string, len(s.entries))
	for i, e := range s.entries {
		keys[i] = e.Key
	}
	return keys
}

// String is a text.
func (s Settings) String(key, def string) string { return get(s, key, "a text", def) }

// Int is an integer.
func (s Settings) Int(key string, def int64) int64 { return get(s, key, "an integer", def) }

// Bool is true or false.
func (s Settings) Bool(key string, def bool) bool { return get(s, key, "true or false", def) }

// Strings is a list of texts. The caller owns the slice.
func (s Settings) Strings(key string, def ...string) []string {
	values := get[[]Value](s, key, "a list of texts", nil)
	if values == nil {
		return def
	}
	texts := make([]string, len(values))
	for i, v := range values {
		text, ok := v.(string)
		if !ok {
			panic(&settingError{name: s.prefix + key, want: "a list of texts"})
		}
		texts[i] = text
	}
	return texts
}

// Section is a map within the configuration; a missing one is empty.
func (s Settings) Section(key string) Settings {
	entries := get[[]Entry](s, key, "a map", nil)
	return Settings{entries: entries, prefix: s.prefix + key + "."}
}

func get[T any](s Settings, key, want string, def T) T {
	value, _ := s.Value(key)
	if value == nil {
		return def
	}
	typed, ok := value.(T)
	if !ok {
		panic(&settingError{name: s.prefix + key, want: want})
	}
	return typed
}

// A settingError is thrown by a getter, and caught by the export that was called.
type settingError struct {
	name string
	want string
}

func (e *settingError) Error() string { return "config: " + e.name + " must be " + e.want }
