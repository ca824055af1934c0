package scripts_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/scripts"
)

const jsGuest = `import { onExec } from "wasmsandbox";

onExec("hello", ({ config }) => ({ stdout: config.get("greeting") + "\n" }));
`

// jsScript is a script with the module as given.
func jsScript(module string) string {
	return fmt.Sprintf(`{version: 1, modules: {hello: %s}, steps: [{method: exec, responder: {module: hello, handler: hello}}],
  calls: [{method: exec, args: [x], expect: {stdout: "hi\n"}}]}`, module)
}

func TestAJavaScriptFileIsAGuest(t *testing.T) {
	for _, module := range []string{
		"{source: hello.js, config: {greeting: hi}}",
		"{source: ./hello.js, lang: js, config: {greeting: hi}}",
		"{source: sub/hello.mjs, config: {greeting: hi}}",
		fmt.Sprintf("{source: hello.js, sha256: %x, config: {greeting: hi}}", sha256.Sum256([]byte(jsGuest))),
	} {
		newFolder(t, map[string]string{"script.yaml": jsScript(module), "hello.js": jsGuest, "sub/hello.mjs": jsGuest})
		script, err := scripts.Load(t.Context(), ".", scripts.ForbidBuild()) // nothing is built
		if err != nil {
			t.Errorf("%s: %v", module, err)
			continue
		}
		if report := runScript(t, script); report.Verdict() != scripts.Held {
			t.Errorf("%s: it is %s: %v", module, report.Verdict(), differences(report.Results[0]))
		}
	}
}

func TestAJavaScriptFileMayBeNamedAlone(t *testing.T) {
	newFolder(t, map[string]string{
		"script.yaml": "{version: 1, modules: {hello: hello.js}}", "hello.js": jsGuest,
	})
	script, err := scripts.Load(t.Context(), ".")
	if err != nil {
		t.Fatal(err)
	}
	if handlers := script.Modules[0].Description().Handlers; len(handlers) != 1 || handlers[0].Name != "hello" {
		t.Errorf("it has %v", handlers)
	}
}

func TestWhatIsWrongWithJavaScriptIsTold(t *testing.T) {
	for want, test := range map[string]struct{ module, source string }{
		"bad.js:2":                  {"{source: bad.js}", "let a = 1;\nlet a = ;\n"},
		"bad.js:1 isn't UTF-8":      {"{source: bad.js}", "\"\xff\""},
		"has another SHA-256":       {`{source: bad.js, sha256: "` + strings.Repeat("0", 64) + `"}`, jsGuest},
		"the answer is 42 (bad.js)": {"{source: bad.js}", "throw new Error('the answer is 42 (' + 'bad.js)')"},
	} {
		newFolder(t, map[string]string{"script.yaml": jsScript(test.module), "bad.js": test.source})
		_, err := scripts.Load(t.Context(), ".")
		if _, ok := errors.AsType[*host.ModuleError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
