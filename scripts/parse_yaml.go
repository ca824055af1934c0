package scripts

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
	"go.yaml.in/yaml/v4/plugin/loaderlimits"
)

// parseYAML reads the one document of a YAML file.
func parseYAML(data []byte) (*node, *syntaxError) {
	loader, err := yaml.NewLoader(bytes.NewReader(data),
		yaml.WithUniqueKeys(false), // found below, with both places
		yaml.WithPlugin(loaderlimits.New(loaderlimits.DepthValue(10*maxDepth))))
	if err != nil {
		return nil, yamlError(data, err)
	}
	var document yaml.Node
	switch err := loader.Load(&document); {
	case errors.Is(err, io.EOF):
		return nil, &syntaxError{position{1, 1}, "the file is empty", nil}
	case err != nil:
		return nil, yamlError(data, err)
	case len(document.Content) != 1:
		return nil, &syntaxError{position{1, 1}, "the file is empty", nil}
	}
	var second yaml.Node
	switch err := loader.Load(&second); {
	case err == nil:
		return nil, &syntaxError{position{second.Line, second.Column}, "a file holds one document: this is a second one", nil}
	case !errors.Is(err, io.EOF):
		return nil, yamlError(data, err)
	}
	r := yamlReader{data: data, open: map[*yaml.Node]bool{}}
	return r.read(document.Content[0], 0)
}

// yamlReader makes nodes of a document. Aliases are followed, within a budget.
type yamlReader struct {
	data    []byte
	open    map[*yaml.Node]bool // anchors that are being repeated
	aliased int                 // values that were repeated
}

func (r *yamlReader) read(y *yaml.Node, depth int) (*node, *syntaxError) {
	where := position{y.Line, y.Column}
	if depth > maxDepth {
		return nil, &syntaxError{where, "the value is nested too deeply", nil}
	}
	if len(r.open) > 0 {
		if r.aliased++; r.aliased > maxAliased {
			return nil, &syntaxError{where, "the aliases up to here repeat too much", nil}
		}
	}
	n := &node{position: where}
	switch y.Kind {
	case yaml.AliasNode:
		return r.alias(y, depth)
	case yaml.SequenceNode:
		return n, r.list(n, y, depth)
	case yaml.MappingNode:
		return n, r.mapping(n, y, depth)
	default:
		return n, r.scalar(n, y)
	}
}

// alias repeats what the anchor marks: with the places of the anchor's values,
// since that is where they are written, but the whole has the alias's own.
func (r *yamlReader) alias(y *yaml.Node, depth int) (*node, *syntaxError) {
	where := position{y.Line, y.Column}
	if y.Alias == nil || r.open[y.Alias] {
		return nil, &syntaxError{where, "the alias stands for what holds it", nil}
	}
	r.open[y.Alias] = true
	defer delete(r.open, y.Alias)
	n, err := r.read(y.Alias, depth+1)
	if err != nil {
		return nil, err
	}
	n.position = where
	return n, nil
}

func (r *yamlReader) list(n *node, y *yaml.Node, depth int) *syntaxError {
	if tag := y.ShortTag(); tag != "!!seq" {
		return badTag(n.position, tag)
	}
	n.kind = listNode
	n.items = make([]*node, 0, len(y.Content))
	for _, item := range y.Content {
		child, err := r.read(item, depth+1)
		if err != nil {
			return err
		}
		n.items = append(n.items, child)
	}
	return nil
}

func (r *yamlReader) mapping(n *node, y *yaml.Node, depth int) *syntaxError {
	if tag := y.ShortTag(); tag != "!!map" {
		return badTag(n.position, tag)
	}
	n.kind = mapNode
	n.entries = make([]entry, 0, len(y.Content)/2)
	seen := make(map[string]int, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, err := r.key(y.Content[i])
		if err != nil {
			return err
		}
		where := position{y.Content[i].Line, y.Content[i].Column}
		if first, ok := seen[key]; ok {
			return duplicateKey(where, key, first)
		}
		seen[key] = where.line
		value, err := r.read(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		n.entries = append(n.entries, entry{key, where, value})
	}
	n.indexKeys()
	return nil
}

// key is a key's text. Whole numbers may be keys: they are positions of
// arguments.
func (r *yamlReader) key(y *yaml.Node) (string, *syntaxError) {
	where := position{y.Line, y.Column}
	if y.Kind == yaml.AliasNode && y.Alias != nil {
		y = y.Alias
	}
	if y.Kind != yaml.ScalarNode {
		return "", &syntaxError{where, "the map must have keys that are text", nil}
	}
	if y.ShortTag() == "!!merge" {
		return "", &syntaxError{where, "the map has a merge key, which isn't part of YAML 1.2; repeat the keys", nil}
	}
	switch scalarTag(y) {
	case "!!str":
		return y.Value, nil
	case "!!int":
		n := &node{position: where}
		if err := r.scalar(n, y); err != nil {
			return "", err
		}
		if i, ok := n.value.(int64); ok {
			return strconv.FormatInt(i, 10), nil
		}
	}
	if y.Value == "" {
		return "", &syntaxError{where, "a key is missing", nil}
	}
	return "", &syntaxError{where, "the map must have keys that are text; put " + y.Value + " in quotes", nil}
}

// scalar reads a value of YAML's core schema.
func (r *yamlReader) scalar(n *node, y *yaml.Node) *syntaxError {
	tag, text := scalarTag(y), y.Value
	if tag == "!!str" {
		n.value, n.bare = text, y.Style&quotedStyles == 0
		return nil
	}
	actual := plainTag(text) // another one only if the file has a tag
	if tag == "!!float" && actual == "!!int" {
		actual = tag
	}
	switch tag {
	case "!!null", "!!bool", "!!int", "!!float":
	default:
		return badTag(n.position, tag)
	}
	if actual != tag {
		return &syntaxError{n.position, "the value isn't what its tag " + tag + " says", nil}
	}
	n.raw = text
	if text == "" && y.Anchor != "" {
		n.raw = "&" + y.Anchor
	}
	var err error
	switch tag {
	case "!!bool":
		n.value = strings.EqualFold(text, "true")
	case "!!int":
		n.value, err = parseInteger(text)
	case "!!float":
		if strings.Contains(strings.ToLower(text), "n") { // .inf, .nan
			return &syntaxError{n.position, "the number must be finite", nil}
		}
		n.value, err = parseFloat(text)
	}
	if err != nil {
		return &syntaxError{n.position, notANumber, err}
	}
	return nil
}

const quotedStyles = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// scalarTag is the tag of a scalar. The library resolves plain ones by other
// rules than those of YAML 1.2.
func scalarTag(y *yaml.Node) string {
	if y.Style&(yaml.TaggedStyle|quotedStyles) == 0 && y.Tag != "!" {
		return plainTag(y.Value)
	}
	return y.ShortTag()
}

func badTag(where position, tag string) *syntaxError {
	text := "the value has the tag " + tag + ", which isn't of YAML's core schema"
	if tag == "!!binary" {
		text += `; write {base64: "…"}`
	}
	return &syntaxError{where, text, nil}
}
