package js

import (
	"embed"
	"fmt"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

//go:embed runtime/*.js
var runtimeFiles embed.FS

// runtimeOrder lists the runtime's files: each after those that it imports.
var runtimeOrder = []string{
	"primordials", "host", "text", "wire", "schema", "codec", "values", "errors", "content",
	"verdict", "result", "request", "registry", "log", "globals", "extension", "program", "session",
}

// texts is what the glue carries into the guest, as one piece.
type texts struct {
	data                          []byte
	emptyScript, panic, panicSize int64  // places in data
	program, programSize          int64  // of a bundle
	boot                          string // the function that evaluates the files, as glue
}

// The name that authors import, and the text of the module that has it.
const publicName = "wasmsandbox"

func readTexts(program []byte) (*texts, error) {
	t := new(texts)
	t.emptyScript = t.add("0;")
	report := abi.Panic{Message: "an error that the interpreter can't tell of: it has no memory or stack left"}
	t.panic = int64(len(t.data))
	t.data = report.Append(t.data)
	t.panicSize = int64(len(t.data)) - t.panic

	var boot strings.Builder
	boot.WriteString("\nfunc boot -> i64\n")
	t.addModule(&boot, "events", numbered(events))
	boot.WriteString("drop\n")
	t.addModule(&boot, "operations", numbered(operations))
	for _, name := range append(runtimeOrder, publicName, "boot") {
		source, err := runtimeFiles.ReadFile("runtime/" + name + ".js")
		if err != nil {
			return nil, err
		}
		boot.WriteString("drop\n")
		t.addModule(&boot, name, string(source))
	}
	t.boot = boot.String()
	t.program, t.programSize = int64(len(t.data)), int64(len(program))
	t.data = append(t.data, program...)
	return t, nil
}

// add gives the place of a text, which ends with a NUL.
func (t *texts) add(text string) int64 {
	place := len(t.data)
	t.data = append(append(t.data, text...), 0)
	return int64(place)
}

// addModule has a file evaluated, whose default export is then on the stack.
func (t *texts) addModule(boot *strings.Builder, name, source string) {
	path := publicName + "/" + name + ".js"
	if name == publicName {
		path = publicName
	}
	fmt.Fprintf(boot, "i32.const %d\ni32.const %d\ncall evaluate_text\n", t.add(path), t.add(source))
}

// numbered is a module that exports names with their indices.
func numbered(names []string) string {
	var module strings.Builder
	for i, name := range names {
		fmt.Fprintf(&module, "export const %s = %d;\n", name, i)
	}
	return module.String()
}
