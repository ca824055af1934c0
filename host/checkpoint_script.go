package host

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A scriptForm is what a checkpoint's file tells of the script that it is of, so that
// another one is found out. What isn't UTF-8 is as JSON has it.
type scriptForm struct {
	Root      string       `json:"root"`
	Grants    []grantForm  `json:"grants,omitempty"`
	Workspace bool         `json:"workspace"` // there is one
	Tools     []string     `json:"tools,omitempty"`
	Modules   []moduleForm `json:"modules,omitempty"` // in the order in which steps name them
	Steps     []stepForm   `json:"steps"`
}

type grantForm struct {
	Path     string `json:"path"`
	ReadOnly bool   `json:"read_only"`
}

// A moduleForm tells modules apart. Digests are SHA-256 in hexadecimal.
type moduleForm struct {
	Name   string `json:"name"`
	Kind   string `json:"kind"` // guest, command or program
	SHA256 string `json:"sha256"`
	Config string `json:"config_sha256"` // of a program its environment
	Stdin  string `json:"stdin_sha256"`
}

// A stepForm tells steps apart.
type stepForm struct {
	Method  string       `json:"method"`
	Match   *handlerForm `json:"match,omitempty"`
	Answer  string       `json:"answer"` // result, responder or error
	Respond *handlerForm `json:"respond,omitempty"`
	SHA256  string       `json:"sha256,omitempty"` // of the result or error, in JSON
}

// A handlerForm is a matcher or responder.
type handlerForm struct {
	Type   string `json:"type"`             // in Go
	Module *int   `json:"module,omitempty"` // in the list; of none that is in Go
	Name   string `json:"name,omitempty"`   // of the module's handler
}

// newScriptForm describes the script of a checkpoint. It gives the modules in the order
// of the list as well: nil stands for those that aren't guests.
func newScriptForm(c *Checkpoint) (scriptForm, []*Module) {
	form := scriptForm{Root: c.config.policy.Root(), Workspace: c.config.workspace != nil, Steps: []stepForm{}}
	for _, g := range c.config.policy.Grants() {
		form.Grants = append(form.Grants, grantForm{g.Path, g.ReadOnly})
	}
	if w := c.config.workspace; w != nil {
		for _, name := range slices.Sorted(maps.Keys(w.Tools)) {
			form.Tools = append(form.Tools, toUTF8(name))
		}
	}
	list := moduleList{known: map[any]int{}}
	for i := range c.steps {
		s := &c.steps[i]
		step := stepForm{Method: s.Method.String(), Answer: s.Outcome.kind.String()}
		if s.Match != nil {
			step.Match = list.handler(s.Match)
		}
		switch s.Outcome.kind {
		case OutcomeResponder:
			step.Respond = list.handler(s.Outcome.responder)
		case OutcomeError:
			step.SHA256 = jsonDigest(newErrorForm(c, s.Outcome.err))
		default:
			step.SHA256 = jsonDigest(PlainResult(s.Outcome.result))
		}
		form.Steps = append(form.Steps, step)
	}
	form.Modules = list.forms
	return form, list.guests
}

func jsonDigest(value any) string {
	data, _ := json.Marshal(value) // of forms and plain values, which never fail
	return digestText(sha256.Sum256(data))
}

func digestText(sum [sha256.Size]byte) string { return hex.EncodeToString(sum[:]) }

// A moduleList is the modules of a script, each once.
type moduleList struct {
	forms  []moduleForm
	guests []*Module
	known  map[any]int // by pointer
}

// handler describes a matcher or responder.
func (l *moduleList) handler(h any) *handlerForm {
	form := &handlerForm{Type: fmt.Sprintf("%T", h)}
	switch h := h.(type) {
	case *GuestMatcher:
		form.Module, form.Name = l.guest(h.module), h.name
	case *GuestResponder:
		form.Module, form.Name = l.guest(h.module), h.name
	case *CommandMatcher:
		form.Module, form.Name = l.command(h.command), h.handler
	case *CommandResponder:
		form.Module, form.Name = l.command(h.command), h.handler
	case *ProgramResponder:
		form.Module = l.program(h.program)
	}
	return form
}

func (l *moduleList) guest(m *Module) *int {
	config := (&abi.Open{Config: m.config}).Append(nil)
	return l.add(m, m, moduleForm{
		Name: m.name, Kind: "guest", SHA256: digestText(m.compiled.hash),
		Config: digestText(sha256.Sum256(config)), Stdin: digestText(m.stdin.hash),
	})
}

func (l *moduleList) command(c *Command) *int {
	if c == nil {
		return nil
	}
	return l.add(c, nil, moduleForm{
		Name: c.name, Kind: "command", SHA256: digestText(c.compiled.hash),
		Config: digestText(sha256.Sum256(c.config)), Stdin: digestText(sha256.Sum256(nil)),
	})
}

func (l *moduleList) program(p *Program) *int {
	if p == nil {
		return nil
	}
	environment := strings.Join(p.env, "\x00")
	return l.add(p, nil, moduleForm{
		Name: p.name, Kind: "program", SHA256: digestText(p.compiled.hash),
		Config: digestText(sha256.Sum256([]byte(environment))), Stdin: digestText(sha256.Sum256(p.stdin)),
	})
}

// add gives the place of a module in the list.
func (l *moduleList) add(key any, guest *Module, form moduleForm) *int {
	form.Name = toUTF8(form.Name)
	at, ok := l.known[key]
	if !ok {
		at = len(l.forms)
		l.known[key] = at
		l.forms, l.guests = append(l.forms, form), append(l.guests, guest)
	}
	return &at
}

// compare says how the script that a file is of differs from the one that is given.
func (f *scriptForm) compare(given scriptForm) error {
	if err := compareModules(f.Modules, given.Modules); err != nil {
		return err
	}
	var detail string
	switch {
	case f.Workspace != given.Workspace:
		detail = "only one of the two has a workspace"
	case f.Root != given.Root:
		detail = "its root is another one"
	case !slices.Equal(f.Grants, given.Grants):
		detail = "its grants are others"
	case !slices.Equal(f.Tools, given.Tools):
		detail = "its tools have other names"
	case len(f.Steps) != len(given.Steps):
		detail = fmt.Sprintf("it has %d steps, not %d", len(f.Steps), len(given.Steps))
	case len(f.Modules) != len(given.Modules):
		detail = fmt.Sprintf("it has %d modules, not %d", len(f.Modules), len(given.Modules))
	default:
		return compareSteps(f.Steps, given.Steps)
	}
	return &CheckpointError{Kind: CheckpointOtherScript, Detail: detail}
}

// compareModules says of the first module that isn't the same what differs.
func compareModules(file, given []moduleForm) error {
	for i := range min(len(file), len(given)) {
		var detail string
		switch f, g := file[i], given[i]; {
		case f.Name != g.Name || f.Kind != g.Kind:
			return &CheckpointError{
				Kind: CheckpointOtherScript, Module: g.Name, Detail: fmt.Sprintf("module #%d is another one there", i+1),
			}
		case f.SHA256 != g.SHA256:
			detail = "its SHA-256 is " + g.SHA256 + ", and was " + abbreviated(f.SHA256)
		case f.Config != g.Config:
			detail = "it is configured otherwise"
		case f.Stdin != g.Stdin:
			detail = "its standard input, or its source in JavaScript, is another one"
		default:
			continue
		}
		return &CheckpointError{Kind: CheckpointOtherModule, Module: given[i].Name, Detail: detail}
	}
	return nil
}

// abbreviated keeps a file from saying more than a digest has.
func abbreviated(text string) string {
	if _, err := hex.DecodeString(text); err != nil || len(text) != hex.EncodedLen(sha256.Size) {
		return "none"
	}
	return text
}

// compareSteps says of the first step that isn't the same what differs.
func compareSteps(file, given []stepForm) error {
	for i := range file {
		if detail := file[i].difference(given[i]); detail != "" {
			return &CheckpointError{Kind: CheckpointOtherScript, Detail: fmt.Sprintf("step #%d %s", i+1, detail)}
		}
	}
	return nil
}

// difference is what a step has that the one given hasn't, or nothing.
func (f *stepForm) difference(given stepForm) string {
	switch {
	case f.Method != given.Method:
		return "is for another method, not " + given.Method
	case !sameHandler(f.Match, given.Match):
		return "matches otherwise"
	case f.Answer != given.Answer || !sameHandler(f.Respond, given.Respond):
		return "answers otherwise"
	case f.SHA256 != given.SHA256:
		return "has another " + given.Answer
	default:
		return ""
	}
}

func sameHandler(a, b *handlerForm) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Type == b.Type && a.Name == b.Name && equalPointers(a.Module, b.Module)
}
