package host

import (
	"encoding/base64"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// plainFields reads the fields of a mapping of plain values. The first failure
// is kept; what is read after it doesn't matter.
type plainFields struct {
	failure **FieldError
	prefix  string // of the fields' names
	values  map[string]any
}

func (f plainFields) fail(key, problem string) {
	if *f.failure == nil {
		*f.failure = &FieldError{Field: f.prefix + key, Problem: problem}
	}
}

// mismatch fails for a value of the wrong kind.
func (f plainFields) mismatch(key, want string) {
	if kind := DescribePlain(f.values[key]); kind != "a number" || want != "a whole number" { // else it is too large
		want += ", not " + kind
	}
	f.fail(key, "must be "+want)
}

// onlyKnown fails for the first key, in alphabetical order, that isn't listed.
func (f plainFields) onlyKnown(known []string) {
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		if !slices.Contains(known, key) {
			f.fail(key, "isn't a known field")
			return
		}
	}
}

func (f plainFields) text(key string) string {
	value, given := f.values[key]
	text, ok := value.(string)
	switch {
	case !given:
		f.fail(key, "is missing")
	case !ok:
		f.mismatch(key, "text")
	}
	return text
}

func (f plainFields) textOr(key, fallback string) string {
	if f.values[key] == nil {
		return fallback
	}
	return f.text(key)
}

func (f plainFields) boolean(key string) bool {
	switch v := f.values[key].(type) {
	case nil:
		return false
	case bool:
		return v
	default:
		f.mismatch(key, "true or false")
		return false
	}
}

func (f plainFields) integer(key string) int64 {
	value, given := f.values[key]
	switch v := value.(type) {
	case int64:
		return v
	case int:
		return int64(v)
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	if !given {
		f.fail(key, "is missing")
	}
	f.mismatch(key, "a whole number")
	return 0
}

// count is a number that is missing or more than zero.
func (f plainFields) count(key string) int64 {
	if f.values[key] == nil {
		return 0
	}
	n := f.integer(key)
	if n <= 0 {
		f.fail(key, "must be more than zero, or null for none")
	}
	return n
}

// pointer is a number that is missing or not negative.
func (f plainFields) pointer(key string) *int {
	if f.values[key] == nil {
		return nil
	}
	n := f.integer(key)
	if n < 0 || n > math.MaxInt {
		f.fail(key, "must not be negative")
		return nil
	}
	return new(int(n))
}

// exitCode is a number of 32 bits, or missing.
func (f plainFields) exitCode(key string) *int {
	if f.values[key] == nil {
		return nil
	}
	n := f.integer(key)
	if n != int64(int32(n)) {
		f.fail(key, "must be a number of 32 bits")
		return nil
	}
	return new(int(n))
}

// seconds is a duration that is missing or more than zero.
func (f plainFields) seconds(key string) time.Duration {
	var seconds float64
	switch v := f.values[key].(type) {
	case nil:
		return 0
	case float64:
		seconds = v
	case int64:
		seconds = float64(v)
	case int:
		seconds = float64(v)
	}
	d := time.Duration(math.Round(seconds * float64(time.Second)))
	if !(seconds > 0) || seconds > math.MaxInt64/float64(time.Second) || d <= 0 {
		f.fail(key, "must be a number of seconds more than zero, or null for none")
		return 0
	}
	return d
}

func (f plainFields) shell(key string) Shell {
	switch v := f.values[key].(type) {
	case nil:
		return Shell{}
	case bool:
		if v {
			return Shell{}
		}
		return NoShell()
	case []any:
		return ShellCommand(f.list(key, v)...)
	default:
		f.mismatch(key, "true, false or a list of text")
		return Shell{}
	}
}

func (f plainFields) list(key string, values []any) []string {
	list := make([]string, len(values))
	for i, value := range values {
		text, ok := value.(string)
		if !ok {
			f.fail(key+"["+strconv.Itoa(i)+"]", "must be text, not "+DescribePlain(value))
		}
		list[i] = text
	}
	return list
}

// command is all positional arguments.
func (f plainFields) command() []string {
	command := make([]string, len(f.values))
	for i := range command {
		command[i] = f.text("args[" + strconv.Itoa(i) + "]")
	}
	return command
}

// bytes are text, a map with text or base64, or missing.
func (f plainFields) bytes(key string) []byte {
	switch v := f.values[key].(type) {
	case nil:
		return nil
	case string:
		return []byte(v)
	case map[string]any:
		data, _ := f.content(key, v, f.mapping(key, "text", "base64"))
		return data
	default:
		f.mismatch(key, `text, or {base64: "…"}`)
		return nil
	}
}

// content is the text or the base64 in a mapping; the values are its own.
func (f plainFields) content(key string, values map[string]any, m plainFields) (data []byte, isText bool) {
	_, text := values["text"]
	_, encoded := values["base64"]
	switch {
	case text == encoded:
		f.fail(key, "must have either text or base64")
		return nil, false
	case text:
		return []byte(m.text("text")), true
	default:
		return m.base64("base64"), false
	}
}

func (f plainFields) base64(key string) []byte {
	data, err := base64.StdEncoding.DecodeString(f.text(key))
	if err != nil {
		f.fail(key, "must be standard base64 with padding")
	}
	return data
}

// stream is text, or a map with text or base64 and perhaps a position.
func (f plainFields) stream(key string) Stream {
	value, given := f.values[key]
	switch v := value.(type) {
	case string:
		return TextStream(v)
	case map[string]any:
		m := f.mapping(key, "text", "base64", "position")
		position := int64(pointerOr(m.pointer("position"), 0))
		return ownedStream(f.content(key, v, m)).At(position)
	default:
		if !given {
			f.fail(key, "is missing")
		}
		f.mismatch(key, `text, {text: "…"} or {base64: "…"}`)
		return Stream{}
	}
}

// mapping reads a field that is itself a mapping, of these keys only.
func (f plainFields) mapping(key string, known ...string) plainFields {
	values, ok := f.values[key].(map[string]any)
	if !ok {
		f.mismatch(key, "a map")
	}
	prefix := f.prefix + key
	if prefix != "" {
		prefix += "."
	}
	m := plainFields{failure: f.failure, prefix: prefix, values: values}
	m.onlyKnown(known)
	return m
}

// each reads a field that is a list of mappings; a single mapping counts as a
// list of one.
func (f plainFields) each(key string, known []string, read func(plainFields)) {
	list, ok := f.values[key].([]any)
	if single, isMap := f.values[key].(map[string]any); isMap {
		list, ok = []any{single}, true
	}
	if _, given := f.values[key]; !given {
		f.fail(key, "is missing")
	}
	if !ok {
		f.mismatch(key, "a list")
		return
	}
	items := plainFields{failure: f.failure, prefix: f.prefix, values: make(map[string]any, len(list))}
	for i, item := range list {
		name := key + "[" + strconv.Itoa(i) + "]"
		items.values[name] = item
		read(items.mapping(name, known...))
	}
}

func (f plainFields) operations(key string) []PatchOperation {
	var operations []PatchOperation
	f.each(key, []string{"type", "path", "diff", "move_to"}, func(m plainFields) {
		op := PatchOperation{Type: m.text("type"), Path: m.text("path")}
		if m.values["diff"] != nil {
			op.Diff = new(m.text("diff"))
		}
		if m.values["move_to"] != nil {
			op.MoveTo = new(m.text("move_to"))
		}
		operations = append(operations, op)
	})
	return operations
}

func (f plainFields) entries(key string) []FileEntry {
	entries := []FileEntry{}
	f.each(key, []string{"path", "permissions", "owner", "group", "size", "kind"}, func(m plainFields) {
		entries = append(entries, m.entry())
	})
	return entries
}

// entry is one file of a listing. Only the path is needed; a directory's
// permissions default to drwx------, another file's to -rwx------ (S7.3).
func (f plainFields) entry() FileEntry {
	kind, ok := abi.ParseFileKind(f.textOr("kind", FileKindFile.String()))
	if !ok {
		f.fail("kind", "must be file, directory, symlink or other")
	}
	entry := FileEntry{
		Path: f.text("path"), Owner: f.textOr("owner", "root"), Group: f.textOr("group", "root"),
		Size: uint64(pointerOr(f.pointer("size"), 0)), Kind: kind, Permissions: 0o700,
	}
	if kind == FileKindDirectory {
		entry.Permissions |= abi.DirectoryBit
	}
	if f.values["permissions"] != nil {
		permissions, err := abi.ParsePermissions(f.text("permissions"))
		if err != nil {
			f.fail("permissions", "must be as ls prints them, for example -rw-r--r--")
		}
		entry.Permissions = permissions
	}
	return entry
}
