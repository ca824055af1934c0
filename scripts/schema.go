package scripts

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed script.schema.json
var schemaText []byte

// Schema is the JSON Schema (draft 2020-12) of script files, for editors. The
// caller owns it.
func Schema() []byte { return bytes.Clone(schemaText) }

// A schema is a JSON Schema in both forms.
type schema struct {
	compiled *jsonschema.Schema
	text     any // of the whole document
}

// compileSchema compiles a part of a schema: "" is the whole. It loads nothing
// else, neither files nor URLs.
func compileSchema(text []byte, part string, options ...func(*jsonschema.Compiler)) (schema, error) {
	const url = "urn:schema"
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return schema{}, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	for _, option := range options {
		option(compiler)
	}
	if err := compiler.AddResource(url, document); err != nil {
		return schema{}, err
	}
	compiled, err := compiler.Compile(url + part)
	return schema{compiled, document}, err
}

// The schemas of a script and of a single call.
var (
	scriptSchema = sync.OnceValue(func() schema { return mustCompileSchema("") })
	callSchema   = sync.OnceValue(func() schema { return mustCompileSchema("#/$defs/call") })
)

func mustCompileSchema(part string) schema {
	text, err := withoutMethods(schemaText)
	var s schema
	if err == nil {
		s, err = compileSchema(text, part)
	}
	if err != nil {
		panic("scripts: the schema: " + err.Error())
	}
	return s
}

// withoutMethods leaves out what depends on methods: editors need it, but here
// shapes find the same, and more, and word it better.
func withoutMethods(text []byte) ([]byte, error) {
	var document map[string]any
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	for _, definition := range document["$defs"].(map[string]any) {
		delete(definition.(map[string]any), "allOf")
	}
	return json.Marshal(document)
}

// choices are all values of an enumeration of our schema.
func choices(name string) []string {
	definitions := scriptSchema().text.(map[string]any)["$defs"].(map[string]any)
	var names []string
	for _, value := range definitions[name].(map[string]any)["enum"].([]any) {
		names = append(names, value.(string))
	}
	return names
}

// A violation is a place where a document isn't what a schema wants.
type violation struct {
	position
	field   string
	item    string // the part of it that says which step, module or call
	message string
	err     error
}

// validate lists the violations of a document, whose root has a name.
func (s schema) validate(root string, document *node) []violation {
	failure, ok := errors.AsType[*jsonschema.ValidationError](s.compiled.Validate(document.plain()))
	if !ok {
		return nil
	}
	var found []violation
	for _, leaf := range s.withoutTypos(leaves(failure, nil)) {
		found = append(found, s.violationsAt(leaf, root, document)...)
	}
	return found
}

// leaves are the errors without causes. Of alternatives that all fail, what is
// wrong with each doesn't help: the alternatives as such are the error.
func leaves(e *jsonschema.ValidationError, found []*jsonschema.ValidationError) []*jsonschema.ValidationError {
	switch e.ErrorKind.(type) {
	case *kind.OneOf, *kind.AnyOf, *kind.Not, *kind.PropertyNames:
		return append(found, e)
	}
	if len(e.Causes) == 0 {
		return append(found, e)
	}
	for _, cause := range e.Causes {
		found = leaves(cause, found)
	}
	return found
}

func (s schema) violationsAt(e *jsonschema.ValidationError, root string, document *node) []violation {
	field, item, n := root, root, document
	for depth, part := range e.InstanceLocation {
		if n.kind == listNode {
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(n.items) {
				break
			}
			field, n = atIndex(field, i), n.items[i]
		} else {
			child := n.get(part)
			if child == nil {
				break
			}
			field, n = at(field, part), child
		}
		if depth <= 1 {
			item = field
		}
	}
	if name, ok := e.ErrorKind.(*kind.PropertyNames); ok {
		return []violation{badName(e, name.Property, n, field, item, document, root)}
	}
	extra, ok := e.ErrorKind.(*kind.AdditionalProperties)
	if !ok {
		return []violation{{n.position, field, item, explain(e, n), e}}
	}
	known := s.properties(e.SchemaURL)
	var found []violation
	unknown := make(map[string]bool, len(extra.Properties))
	for _, key := range extra.Properties {
		unknown[key] = true
	}
	for _, entry := range n.entries {
		if unknown[entry.key] {
			found = append(found, violation{entry.at, at(field, entry.key), item, "is an unknown key" + suggestKey(entry.key, known), e})
		}
	}
	return found
}

// badName is the violation of a map that has a key that it can't have. The
// library may have written over the place that it gives for the map.
func badName(e *jsonschema.ValidationError, key string, n *node, field, item string, document *node, root string) violation {
	if n.get(key) == nil {
		if m, path := document.holderOf(key, root); m != nil {
			n, field, item = m, path, path
		}
	}
	where := n.position
	for _, entry := range n.entries {
		if entry.key == key {
			where = entry.at
		}
	}
	return violation{where, field, item, fmt.Sprintf("can't have the key %q", key) + suggestName(e, key), e}
}

// namePatterns say what the schema's patterns of keys mean.
var namePatterns = map[string]string{
	`^[^/\x00]+$`: "; the name of a command isn't empty and has no slash and no NUL character",
	`^[^=]+$`:     "; the name of a variable isn't empty and has no =",
}

// suggestName says which keys a map can have.
func suggestName(e *jsonschema.ValidationError, key string) string {
	for _, leaf := range e.Causes {
		for len(leaf.Causes) > 0 {
			leaf = leaf.Causes[0]
		}
		if enum, ok := leaf.ErrorKind.(*kind.Enum); ok {
			return suggest(key, enumNames(enum))
		}
		if pattern, ok := leaf.ErrorKind.(*kind.Pattern); ok {
			return namePatterns[pattern.Want]
		}
	}
	return ""
}

func enumNames(k *kind.Enum) []string {
	names := make([]string, len(k.Want))
	for i, want := range k.Want {
		names[i] = fmt.Sprint(want)
	}
	return names
}

// explain says what is wrong, to be read after a field's name.
func explain(e *jsonschema.ValidationError, n *node) string {
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		if strings.HasSuffix(e.SchemaURL, "/properties/mode") {
			return badMode
		}
		return "must be " + typeNames(k.Want) + formOf(e.InstanceLocation) + ", not " + describeFor(k.Want, n)
	case *kind.Required:
		return "lacks the key " + strings.Join(k.Missing, ", the key ")
	case *kind.Enum:
		if _, isText := n.value.(string); !isText {
			return "must be text, not " + n.describe()
		}
		return fmt.Sprintf("can't be %v%s", n.value, suggest(fmt.Sprint(n.value), enumNames(k)))
	case *kind.Const:
		return fmt.Sprintf("must be %v", k.Want) + notConst(n, k.Want)
	case *kind.MinLength:
		return "must not be empty"
	case *kind.MinProperties:
		return "must not be empty"
	case *kind.Minimum:
		return "must be at least " + k.Want.RatString()
	case *kind.Maximum:
		if problem := sizeProblem(e, n); problem != "" {
			return problem
		}
		return "must be at most " + k.Want.RatString()
	case *kind.Pattern, *kind.OneOf, *kind.MaxProperties:
		if problem := sizeProblem(e, n); problem != "" {
			return problem
		}
		_, part, _ := strings.Cut(e.SchemaURL, "#")
		if text, ok := explanations[part]; ok {
			return text + contentsOf(part, n)
		}
	}
	return "isn't valid: " + e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
}

// describeFor says what a value is that should be of other types.
func describeFor(types []string, n *node) string {
	if slices.Contains(types, "object") {
		return n.describeForMap()
	}
	if slices.Contains(types, "array") && len(n.entries) > 0 {
		if _, missing := missingAfterName(n.entries[0].key + ":"); missing != "" {
			return n.describe() + "; " + missing
		}
	}
	return n.describe()
}

// forms are the maps in a step that are easily taken for something shorter.
var forms = map[string]string{
	"match": "{args: […]}", "responder": "{module: …, handler: …}", "error": "{code: …}",
}

// formOf says how to write such a map of a step.
func formOf(location []string) string {
	if len(location) != 3 || location[0] != "steps" || forms[location[2]] == "" {
		return ""
	}
	return " such as " + forms[location[2]]
}

// notConst says what a value is that can be only one.
func notConst(n *node, want any) string {
	if n.kind != scalarNode || n.isNull() {
		return ", not " + n.describe()
	}
	switch v := n.value.(type) {
	case string:
		if v == fmt.Sprint(want) {
			return "; remove the quotes"
		}
		return ", not text"
	default:
		return fmt.Sprintf(", not %v", v)
	}
}

// sizeProblem is what is wrong with a size, in our schema.
func sizeProblem(e *jsonschema.ValidationError, n *node) string {
	if !strings.HasSuffix(e.SchemaURL, "#/$defs/size") {
		return ""
	}
	_, problem := parseSize(n)
	return problem
}

// explanations are for parts of our schema whose violations are hard to word.
var explanations = map[string]string{
	"/$defs/module":                   "must have one of wasm, source, command and program",
	"/$defs/bytes":                    "must have either text or base64",
	"/$defs/module/properties/sha256": "must be 64 hexadecimal digits",
	"/$defs/tool/properties/sha256":   "must be 64 hexadecimal digits",

	"/$defs/seedFile/then":                 "must have one of text, base64, file, folder and symlink",
	"/$defs/manifestEntry/then":            "must have one of text, base64, file and folder",
	"/$defs/seedFile/properties/mode":      badMode,
	"/$defs/manifestEntry/properties/mode": badMode,
}

const badMode = "must be three octal digits in quotes, as in \"755\""

// contentsOf says which of the things that a file can be it is said to be.
func contentsOf(part string, n *node) string {
	if !strings.HasSuffix(part, "/then") {
		return ""
	}
	var present []string
	for _, key := range []string{"text", "base64", "file", "folder", "symlink"} {
		if n.get(key) != nil {
			present = append(present, key)
		}
	}
	if len(present) < 2 {
		return ""
	}
	return "; it has " + strings.Join(present, " and ")
}

var schemaTypes = map[string]string{
	"string": "text", "integer": "a whole number", "number": "a number", "boolean": "true or false",
	"object": "a map", "array": "a list", "null": "null",
}

func typeNames(types []string) string {
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = schemaTypes[t]
	}
	return strings.Join(names, " or ")
}

// properties are the keys that the part of a schema that a URL names has.
func (s schema) properties(url string) []string {
	_, pointer, _ := strings.Cut(url, "#")
	part := s.text
	for _, name := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if m, ok := part.(map[string]any); ok && name != "" {
			part = m[name]
		}
	}
	m, _ := part.(map[string]any)
	properties, _ := m["properties"].(map[string]any)
	return sortedKeys(properties)
}
