package js

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	comments = regexp.MustCompile(`(?s:/\*\*.*?\*/)|(?m:^\s*//.*$|\s// .*$)`)
	literals = regexp.MustCompile(`"(\\.|[^"\\])*"|'(\\.|[^'\\])*'`)
	imports  = regexp.MustCompile(`(?s)import \{([^}]*)\} from "./primordials.js";`)

	// Objects of the language. A property of that name is another thing.
	builtInName = regexp.MustCompile(`(?:^|[^.\w])(Array|ArrayBuffer|BigInt|Boolean|DataView|Date|Error|Function|JSON|Map|Math|Number|Object|` +
		`Promise|RangeError|Reflect|RegExp|Set|String|Symbol|SyntaxError|TypeError|Uint32Array|Uint8Array|navigator)\b`)

	// What the interpreter calls a program's functions for, if it has put some there.
	changeable = map[string]*regexp.Regexp{
		"iterates":                   regexp.MustCompile(`for \([^;)]* of `),
		"spreads a list":             regexp.MustCompile(`[\[(]\.\.\.[^)]*[\])](?: =>)?`),
		"takes a list apart":         regexp.MustCompile(`(?:const|let) \[`),
		"has a text with parts":      regexp.MustCompile("`"),
		"asks a class by instanceof": regexp.MustCompile(`\binstanceof\b`),
		"calls a method of lists":    regexp.MustCompile(`\.(?:push|pop|map|filter|forEach|join|split|includes|concat|sort|subarray)\(`),
	}
)

// The files of the runtime take what is built in from primordials.js, which has it
// from before a program could change it. Two files are done before that.
func TestTheRuntimeUsesNothingThatAProgramCanChange(t *testing.T) {
	files, err := fs.Glob(runtimeFiles, "runtime/*.js")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no files", err)
	}
	for _, file := range files {
		if name := path.Base(file); name == "primordials.js" || name == "schema.js" {
			continue
		}
		data, err := fs.ReadFile(runtimeFiles, file)
		if err != nil {
			t.Fatal(err)
		}
		source := comments.ReplaceAllString(string(data), "")
		var imported []string
		if found := imports.FindStringSubmatch(source); found != nil {
			imported = strings.FieldsFunc(found[1], func(r rune) bool { return r == ',' || r == ' ' || r == '\n' })
		}
		source = literals.ReplaceAllString(imports.ReplaceAllString(source, ""), `""`)
		for _, use := range builtInName.FindAllStringSubmatch(source, -1) {
			install := file == "runtime/globals.js" && use[1] == "Math" // which is given another Math.random
			if !install && !slices.Contains(imported, use[1]) {
				t.Errorf("%s uses %s, and doesn't import it from primordials.js", file, use[1])
			}
		}
		for what, pattern := range changeable {
			for _, found := range pattern.FindAllString(source, -1) {
				if !strings.HasSuffix(found, " =>") {
					t.Errorf("%s %s: %s", file, what, found)
				}
			}
		}
	}
}
