package main

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/workspace"
	"github.com/wasmsandbox/wasmsandbox/scripts/verify"
)

// documented are the sections of docs/json-output.md, with what they describe.
var documented = map[string][]any{
	"run":           {scriptReport{}, scriptsReport{}, summaryLine{}},
	"Call":          {callReport{}},
	"Step":          {stepInfo{}},
	"Outcome":       {outcomeInfo{}},
	"Error":         {errorInfo{}},
	"Guest failure": {guestFailure{}},
	"Difference":    {differenceInfo{}},
	"Log":           {logInfo{}},
	"Workspace":     {workspaceReport{}, fileInfo{}, changeInfo{}},
	"Run error":     {runError{}},
	"Problem":       {problemInfo{}},
	"validate":      {validation{}, scriptInfo{}},
	"verify":        {verifyDocument{}, verifyReport{}, verifyDivergence{}, verifyRun{}, verifyDifference{}},
	"Manifest": {
		verify.Manifest{}, verify.ManifestEngine{}, verify.ManifestScript{}, verify.ManifestModule{},
		verify.Transcript{}, verify.Fact{},
	},
	"inspect":     {inspection{}, problem{}, guestInfo{}, handlerInfo{}, memoryInfo{}, externInfo{}},
	"conformance": {conformanceInfo{}, conformanceReport{}, conformanceRow{}, divergenceInfo{}},
	"build":       {buildReport{}},
	"version":     {versionInfo{}, engineVersion{}},
}

func TestJSONOutputIsDocumented(t *testing.T) {
	sections := jsonDocSections(t)
	for title, types := range documented {
		var fields []string
		for _, v := range types {
			fields = append(fields, jsonFields(reflect.TypeOf(v))...)
		}
		for _, field := range fields {
			if !strings.Contains(sections[title], "`"+field+"`") {
				t.Errorf("section %s lacks the field %s", title, field)
			}
		}
		for _, field := range tableFields(sections[title]) {
			if !slices.Contains(fields, field) {
				t.Errorf("section %s has the field %s, which isn't printed", title, field)
			}
		}
	}
	for title, values := range documentedValues() {
		text := strings.Join(strings.Fields(sections[title]), " ")
		for _, value := range values {
			if !strings.Contains(text, "`"+value+"`") {
				t.Errorf("section %s lacks the value %s", title, value)
			}
		}
	}
}

func documentedValues() map[string][]string {
	var methods []string
	for _, m := range abi.Methods() {
		methods = append(methods, m.String())
	}
	return map[string][]string{
		"run":    slices.Collect(maps.Values(verdicts)),
		"verify": append(slices.Collect(maps.Keys(runsCodes)), atStart, atCall, atEnd),
		"Call":   append(methods, byStep, byWorkspace, byNothing),
		"Step":   {host.OutcomeResult.String(), host.OutcomeResponder.String(), host.OutcomeError.String()},
		"Outcome": {
			gotResult, gotSandbox, gotUnexpected, gotRejected, gotUnsupported, gotGuestError, gotInvalid, gotError,
			abi.FileKindFile.String(), abi.FileKindDirectory.String(), abi.FileKindSymlink.String(), abi.FileKindOther.String(),
		},
		"Guest failure": {
			string(host.GuestPanic), string(host.GuestTrap), string(host.GuestExit), string(host.GuestInterrupted),
			string(host.GuestBadPointer), string(host.GuestBadReply), string(host.GuestLimit), string(host.GuestFailed),
			string(host.GuestBadConfig), string(host.GuestBadVersion), string(host.GuestRefused), string(host.GuestDead),
		},
		"Workspace": append(differences(), fileKind, directoryKind, symlinkKind),
		"Log":       {host.SourceLog.String(), host.SourceStdout.String(), host.SourceStderr.String()},
		"Problem": {
			string(host.ReasonInvalidInput), string(host.ReasonUnknownMethod),
			string(host.ReasonInvalidMatcher), string(host.ReasonInvalidOutcome),
		},
	}
}

// differences are the words of what can be different about a file.
func differences() []string {
	const all = workspace.Added | workspace.Removed | workspace.KindChanged | workspace.ContentChanged | workspace.ModeChanged | workspace.TargetChanged
	return strings.Split(all.String(), ", ")
}

// jsonDocSections is the document's text by heading.
func jsonDocSections(t *testing.T) map[string]string {
	t.Helper()
	doc, err := os.ReadFile("../../docs/json-output.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string]string{}
	for _, part := range regexp.MustCompile(`(?m)^##+ `).Split(string(doc), -1) {
		title, text, _ := strings.Cut(part, "\n")
		sections[title] = text
	}
	return sections
}

// jsonFields are the names of a struct's own fields.
func jsonFields(t reflect.Type) (names []string) {
	for field := range t.Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); name != "" {
			names = append(names, name)
		}
	}
	return names
}

var codeSpan = regexp.MustCompile("`([^`]+)`")

// tableFields are the names in the first columns of tables whose title begins
// with "field".
func tableFields(section string) (names []string) {
	fields := false
	for line := range strings.Lines(section) {
		first, _, isRow := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		switch {
		case !isRow || !strings.HasPrefix(line, "| "):
			fields = false
		case strings.HasPrefix(first, "field"):
			fields = true
		case fields:
			for _, name := range codeSpan.FindAllStringSubmatch(first, -1) {
				names = append(names, name[1])
			}
		}
	}
	return names
}

// What is in args, kwargs, results and contexts is the scripts'.
var payload = []string{"args", "kwargs", "result", "context"}

func TestFieldsOfExpectedJSONAreDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/json-output.md")
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, script := range scripts {
		archive, err := txtar.ParseFile(script)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range archive.Files {
			compared := strings.Contains(string(archive.Comment), "\ncmp stdout "+file.Name+"\n")
			if !compared || !strings.HasPrefix(string(file.Data), "{") {
				continue
			}
			for decoder := json.NewDecoder(bytes.NewReader(file.Data)); ; {
				var document any
				if err := decoder.Decode(&document); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %s: %v", script, file.Name, err)
				}
				addKeys(seen, document)
			}
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d fields are expected anywhere", len(seen))
	}
	for name := range seen {
		if !bytes.Contains(doc, []byte("`"+name+"`")) {
			t.Errorf("the field %s isn't documented", name)
		}
	}
}

func addKeys(seen map[string]bool, value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			addKeys(seen, item)
		}
	case map[string]any:
		for key, item := range v {
			seen[key] = true
			if !slices.Contains(payload, key) {
				addKeys(seen, item)
			}
		}
	}
}
