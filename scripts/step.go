package scripts

import (
	"slices"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// stepKeys are all keys that a step may have (S1.2).
var stepKeys = []string{"method", "match", "result", "responder", "error"}

// steps reads the list of steps. A list that isn't one has been reported.
func (p *parser) steps(list *node) []host.Step {
	if list == nil || list.kind != listNode {
		return nil
	}
	steps := make([]host.Step, 0, len(list.items))
	for i, n := range list.items {
		s := stepParser{parser: p, node: n, field: atIndex("steps", i), index: i}
		if step, ok := s.step(); ok {
			steps = append(steps, step)
		}
	}
	return steps
}

// stepParser reads one step, in the order of S1.2. The first defect wins; all
// that is wrong in the same way is told.
type stepParser struct {
	*parser
	node  *node
	field string
	index int

	name   string // of the method, as given
	method host.Method
}

func (s *stepParser) step() (host.Step, bool) {
	step := host.Step{Source: s.file + ":" + strconv.Itoa(s.node.line)}
	ok := s.readKeys() && s.readMethod() && s.readMatch(&step) && s.readOutcome(&step)
	step.Method = s.method
	return step, ok && !s.violated(s.field, host.ReasonInvalidInput, "isn't valid")
}

// readKeys makes sure that the step is a mapping of known keys (V1, V2).
func (s *stepParser) readKeys() bool {
	if s.node.kind != mapNode {
		s.invalid(s.node, "", host.ReasonInvalidInput, "isn't a mapping", "must be a map, not "+s.node.describeForMap(), nil)
		return false
	}
	s.name = s.node.get("method").text()
	return !s.unknownKeys()
}

func (s *stepParser) unknownKeys() bool {
	found := false
	for _, e := range s.node.entries {
		if !slices.Contains(stepKeys, e.key) {
			found = true
			s.invalid(&node{position: e.at}, e.key, host.ReasonInvalidInput, "has keys that a step can't have",
				"is an unknown key"+suggestStepKey(e.key), nil)
		}
	}
	return found
}

// belongs says where keys belong that a step can't have.
var belongs = map[string]string{
	"args": "match", "kwargs": "match", "cel": "match", "module": "responder or match", "handler": "responder or match",
	"stdout": "result", "stderr": "result", "exit_code": "result", "output": "result",
	"code": "error", "op": "error", "message": "error", "context": "error", "retryable": "error",
}

func suggestStepKey(key string) string {
	if where := belongs[key]; where != "" {
		return "; it belongs under " + where
	}
	if key == "expect" || key == "expect_error" {
		return "; it belongs in calls"
	}
	return suggestKey(key, stepKeys)
}

// readMethod finds the method (V3).
func (s *stepParser) readMethod() bool {
	const detail = "has an unknown method"
	n := s.node.get("method")
	if n == nil {
		s.invalid(s.node, "", host.ReasonUnknownMethod, detail, "lacks the key method", nil)
		return false
	}
	method, ok := host.ParseMethod(s.name)
	switch {
	case n.kind != scalarNode || s.name == "" && n.value != "":
		s.invalid(n, "method", host.ReasonUnknownMethod, detail, "must be text, not "+n.describe(), nil)
	case !ok:
		s.invalid(n, "method", host.ReasonUnknownMethod, detail,
			"can't be "+strconv.Quote(s.name)+suggest(s.name, methodNames()), nil)
	}
	s.method = method
	return ok && s.isReachable(n)
}

// isReachable makes sure that the step can be taken: else it would keep all after it.
func (s *stepParser) isReachable(method *node) bool {
	if s.answers[s.method] != host.WorkspaceOnly {
		return true
	}
	s.invalid(method, "method", host.ReasonUnreachable, "is never asked: the workspace alone answers this method",
		"can't be "+s.name+": workspace.answers leaves that to the workspace alone", nil)
	return false
}

// invalid notes why the step can't be used: the detail is host's fixed text, the
// message what to read after the field's name.
func (s *stepParser) invalid(where *node, key string, reason host.StepReason, detail, message string, cause error) {
	s.put(where.position, Problem{
		Field: at(s.field, key), Step: s.index, Reason: reason, Message: message,
		Err: &host.InvalidStepError{Reason: reason, Index: s.index, Method: s.name, Detail: detail, Err: cause},
	})
}

// violated notes what the schema objects to at or below a field.
func (s *stepParser) violated(field string, reason host.StepReason, detail string) bool {
	found := s.under(field)
	for _, v := range found {
		key := strings.TrimPrefix(v.field[len(s.field):], ".")
		s.invalid(&node{position: v.position}, key, reason, detail, v.message, v.err)
	}
	return len(found) > 0
}

// under gives what the schema objects to at or below a field of the step.
func (s *stepParser) under(field string) []violation {
	var found []violation
	for _, v := range s.violations[s.field] {
		if isWithin(v.field, field) {
			found = append(found, v)
		}
	}
	return found
}

func methodNames() []string {
	var names []string
	for _, m := range abi.Methods() {
		names = append(names, m.String())
	}
	return names
}
