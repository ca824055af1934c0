package scripts

import (
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// position is a place in a file, both counted from one; columns in characters.
type position struct{ line, column int }

// A node is a value of a document, with its place. YAML and JSON are read into
// the same nodes.
type node struct {
	position
	value   any              // of a scalar: nil, bool, int64, float64 or string; of the seed also uint64
	raw     string           // of a scalar that isn't text: as it is written, and "&x" of nothing with an anchor
	items   []*node          // of a list
	entries []entry          // of a map, in their order
	index   map[string]*node // the same, of a map with many keys; else nil
	kind    nodeKind
	bare    bool // text that has no quotes, in YAML
}

type nodeKind uint8

const (
	scalarNode nodeKind = iota
	listNode
	mapNode
)

type entry struct {
	key   string
	at    position // of the key
	value *node
}

// get is the value of a key, or nil. A nil node has no keys.
func (n *node) get(key string) *node {
	if n == nil {
		return nil
	}
	if n.index != nil {
		return n.index[key]
	}
	for i := range n.entries {
		if n.entries[i].key == key {
			return n.entries[i].value
		}
	}
	return nil
}

// indexKeys makes get quick for a map with many keys.
func (n *node) indexKeys() {
	if len(n.entries) <= 16 {
		return
	}
	n.index = make(map[string]*node, len(n.entries))
	for _, e := range n.entries {
		n.index[e.key] = e.value
	}
}

// text is the value of a scalar that is text, else "".
func (n *node) text() string {
	if n == nil {
		return ""
	}
	text, _ := n.value.(string)
	return text
}

func (n *node) isNull() bool { return n.kind == scalarNode && n.value == nil }

// makeWhole turns numbers such as 5.0 into whole ones. It gives the first that
// has a fraction, and its field's name.
func (n *node) makeWhole(name string) (fraction *node, field string) {
	if _, isFloat := n.value.(float64); isFloat {
		i, ok := integer(n)
		if !ok {
			return n, name
		}
		n.value = i
	}
	for i, item := range n.items {
		if bad, field := item.makeWhole(atIndex(name, i)); bad != nil {
			return bad, field
		}
	}
	for _, e := range n.entries {
		if bad, field := e.value.makeWhole(at(name, e.key)); bad != nil {
			return bad, field
		}
	}
	return nil, ""
}

// unsigned finds a number that only uint64 can hold, except for one node.
func (n *node) unsigned(except *node) *node {
	if _, ok := n.value.(uint64); ok && n != except {
		return n
	}
	for _, item := range n.items {
		if found := item.unsigned(except); found != nil {
			return found
		}
	}
	for _, e := range n.entries {
		if found := e.value.unsigned(except); found != nil {
			return found
		}
	}
	return nil
}

// plain is the value with everything in it.
func (n *node) plain() any {
	switch n.kind {
	case listNode:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			list[i] = item.plain()
		}
		return list
	case mapNode:
		return n.plainMap()
	default:
		return n.value
	}
}

// plainMap is the value of a map; of a nil node or another kind it is nil.
func (n *node) plainMap() map[string]any {
	if n == nil || n.kind != mapNode {
		return nil
	}
	m := make(map[string]any, len(n.entries))
	for _, e := range n.entries {
		m[e.key] = e.value.plain()
	}
	return m
}

// describe is what kind of value it is, for messages.
func (n *node) describe() string {
	switch n.kind {
	case listNode:
		return "a list"
	case mapNode:
		return "a map"
	}
	if n.isNull() && strings.HasPrefix(n.raw, "&") {
		return "null; put text that starts with & in quotes"
	}
	return host.DescribePlain(n.value)
}

// describeForMap is describe for what should be a map, but may be short of a colon or space.
// A word alone is rather a value, as in "error: timeout".
func (n *node) describeForMap() string {
	text := n.text()
	if _, missing := missingAfterName(text); n.bare && missing != "" && strings.ContainsAny(text, " :") {
		return n.describe() + "; " + missing
	}
	return n.describe()
}

// find follows a field's name, such as "args[0].path", as far as there is
// something.
func (n *node) find(field string) *node {
	for field != "" {
		child, rest := n.step(field)
		if child == nil {
			return n
		}
		n, field = child, rest
	}
	return n
}

// step follows the first part of a field's name. Keys may hold dots and
// brackets: the longest one that is there wins.
func (n *node) step(field string) (child *node, rest string) {
	if index, after, ok := strings.Cut(strings.TrimPrefix(field, "["), "]"); ok && (n.kind == listNode) {
		if i, err := strconv.Atoi(index); err == nil && i >= 0 && i < len(n.items) {
			return n.items[i], strings.TrimPrefix(after, ".")
		}
		return nil, ""
	}
	longest := -1
	for _, e := range n.entries {
		after, ok := strings.CutPrefix(field, e.key)
		if !ok { // {args: {0: …}} is args[0] in names
			after, ok = strings.CutPrefix(field, "["+e.key+"]")
		}
		if ok && len(e.key) > longest && (after == "" || after[0] == '.' || after[0] == '[') {
			child, rest, longest = e.value, strings.TrimPrefix(after, "."), len(e.key)
		}
	}
	return child, rest
}

// holderOf is the first map that has a key, and its field's name.
func (n *node) holderOf(key, field string) (*node, string) {
	if n.get(key) != nil {
		return n, field
	}
	for i, item := range n.items {
		if m, path := item.holderOf(key, atIndex(field, i)); m != nil {
			return m, path
		}
	}
	for _, e := range n.entries {
		if m, path := e.value.holderOf(key, at(field, e.key)); m != nil {
			return m, path
		}
	}
	return nil, ""
}

// at joins a field's name and a key.
func at(field, key string) string {
	if field == "" {
		return key
	}
	if strings.HasPrefix(key, "[") || key == "" {
		return field + key
	}
	return field + "." + key
}

// atIndex joins a field's name and an index.
func atIndex(field string, i int) string { return field + "[" + strconv.Itoa(i) + "]" }

const (
	// maxDepth is how deeply a document may be nested.
	maxDepth = 100

	// maxAliased is how many values the aliases of a YAML document may repeat.
	maxAliased = 100_000

	// maxFile is the length of the longest script, in bytes.
	maxFile = 64 << 20

	// maxParts is how many lines, commas, colons and brackets it may have. A value needs
	// one at least, and takes about a kilobyte to be read.
	maxParts = 1_000_000
)

// isWithin reports whether a field is another one or a part of it.
func isWithin(field, outer string) bool {
	rest, ok := strings.CutPrefix(field, outer)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[' || strings.HasSuffix(outer, "["))
}
