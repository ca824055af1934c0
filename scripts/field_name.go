package scripts

import (
	"regexp"
	"strings"
	"sync"
)

// fieldNames are all keys that maps of a script can have, but for those that it names itself.
var fieldNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	addProperties(names, scriptSchema().text)
	for _, s := range signatures {
		for _, shape := range append([]*shape{s.kwargs, s.result, s.rest}, s.args...) {
			addFields(names, shape)
		}
	}
	return names
})

// addProperties adds the keys that the parts of a schema have.
func addProperties(names map[string]bool, part any) {
	switch part := part.(type) {
	case []any:
		for _, item := range part {
			addProperties(names, item)
		}
	case map[string]any:
		properties, _ := part["properties"].(map[string]any)
		for name := range properties {
			names[name] = true
		}
		for _, child := range part {
			addProperties(names, child)
		}
	}
}

func addFields(names map[string]bool, s *shape) {
	if s == nil {
		return
	}
	for _, f := range s.fields {
		names[f.name] = true
		addFields(names, f.shape)
	}
	addFields(names, s.items)
}

var (
	firstName = regexp.MustCompile(`^(?:\s*-\s)*\s*(-?)([a-z][a-z0-9_]*)`)
	lastName  = regexp.MustCompile(`[{,]\s*([a-z][a-z0-9_]*)\s*$`)
)

// missingAfterName finds what isn't between the name of a field and its value: a colon, as in
// "method exec", or a space, as in "method:exec" and "-method: exec". The column is where it
// should be; the text is "" if nothing is missing.
func missingAfterName(line string) (column int, text string) {
	found := firstName.FindStringSubmatchIndex(line)
	if found == nil || !fieldNames()[line[found[4]:found[5]]] {
		return 0, ""
	}
	name, rest := line[found[4]:found[5]], line[found[5]:]
	switch {
	case found[2] < found[3] && rest != "" && rest[0] == ':':
		return found[3] + 1, "a space is missing after -"
	case found[2] < found[3]:
		return 0, ""
	case strings.TrimSpace(rest) == "", rest[0] == ' ' && !strings.HasPrefix(strings.TrimSpace(rest), ":"):
		return found[5] + 1, "a colon is missing after " + name
	case rest[0] == ':' && strings.TrimSpace(rest[1:]) != "" && rest[1] != ' ':
		return found[5] + 2, "a space is missing after " + name + ":"
	default:
		return 0, ""
	}
}

// missingInBrackets is missingAfterName for a name within brackets, in front of others.
func missingInBrackets(before, after string) string {
	found := lastName.FindStringSubmatch(before)
	if found == nil || !fieldNames()[found[1]] || !strings.HasPrefix(after, "[") && !strings.HasPrefix(after, "{") {
		return ""
	}
	return "a colon is missing after " + found[1]
}
