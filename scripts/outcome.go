package scripts

import (
	"encoding/base64"
	"errors"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
)

// outcomeKeys are the three ways in which a step may answer.
var outcomeKeys = []string{"result", "responder", "error"}

// readOutcome reads how the step answers (V6 to V10). Presence counts: a result
// of null is one (S1.5).
func (s *stepParser) readOutcome(step *host.Step) bool {
	var present []string
	for _, key := range outcomeKeys {
		if s.node.get(key) != nil {
			present = append(present, key)
		}
	}
	if len(present) != 1 {
		message := "must have one of result, responder and error; it has none"
		if len(present) > 1 {
			message = "must have one of result, responder and error; it has " + strings.Join(present, " and ")
		}
		s.invalid(s.node, "", host.ReasonInvalidOutcome, "needs exactly one of a result, a responder and an error", message, nil)
		return false
	}
	detail := "has a " + present[0] + " that can't be used"
	if present[0] == "error" {
		detail = "has an error that can't be used"
	}
	if s.violated(at(s.field, present[0]), host.ReasonInvalidOutcome, detail) {
		return false
	}
	n := s.node.get(present[0])
	switch present[0] {
	case "responder":
		return s.responder(step, n, detail)
	case "error":
		return s.failure(step, n, detail)
	default:
		return s.result(step, n, detail)
	}
}

func (s *stepParser) result(step *host.Step, n *node, detail string) bool {
	result, err := host.ParseResult(s.method, n.plain())
	var c fitting
	c.check(signatures[s.method].result, n, "result")
	for _, m := range c.found {
		s.invalid(&node{position: m.position}, m.field, host.ReasonInvalidOutcome, detail, m.message, err)
	}
	switch {
	case len(c.found) > 0:
		return false
	case err != nil:
		field, message := "", err.Error()
		if bad, ok := errors.AsType[*host.FieldError](err); ok {
			field, message = bad.Field, bad.Problem
		}
		s.invalid(n.find(field), joinResult("result", field), host.ReasonInvalidOutcome, detail, message, err)
		return false
	}
	step.Outcome = host.Return(result)
	return true
}

// joinResult names a part of a result; that of ls starts with an index.
func joinResult(root, field string) string {
	if field == "" {
		return root
	}
	return at(root, field)
}

func (s *stepParser) responder(step *host.Step, n *node, detail string) bool {
	m, ok := s.moduleOf(n, "responder", host.ReasonInvalidOutcome, detail)
	if !ok {
		return false
	}
	module := m.loaded
	switch {
	case module == nil:
		return s.runnableResponder(step, m, n, detail)
	case n.get("handler") == nil:
		s.invalid(n, "responder", host.ReasonInvalidOutcome, detail, "lacks the key handler", nil)
		return false
	}
	responder, err := module.Responder(n.get("handler").text())
	if err == nil && !responder.Serves(s.method) {
		err = mismatch(module, "responder", n.get("handler").text(), s.method)
	}
	if err != nil {
		s.invalid(n.get("handler"), "responder.handler", host.ReasonInvalidOutcome, detail, "can't be used: "+err.Error(), err)
		return false
	}
	step.Outcome = host.Respond(responder)
	return true
}

func (s *stepParser) failure(step *host.Step, n *node, detail string) bool {
	details, bad := withBytes(n.get("context"))
	if bad != nil {
		s.invalid(bad, "error.context", host.ReasonInvalidOutcome, detail, badBase64, nil)
		return false
	}
	failure := host.NewSandboxError(host.Code(n.get("code").text()), details, nil)
	if op := n.get("op").text(); op != "" {
		failure.Op = host.Op(op)
	}
	if message := n.get("message"); message != nil {
		failure.Message = message.text()
	}
	if retryable := n.get("retryable"); retryable != nil {
		switch retryable.value {
		case true:
			failure.Retryable = host.RetryableYes
		case false:
			failure.Retryable = host.RetryableNo
		}
	}
	step.Outcome = host.Fail(failure)
	return true
}

const badBase64 = "has base64 that isn't standard base64 with padding"

// withBytes is a map as plain values, but {base64: "…"} as []byte. If that
// can't be decoded, the node is returned.
func withBytes(n *node) (m map[string]any, bad *node) {
	if n == nil {
		return nil, nil
	}
	m = make(map[string]any, len(n.entries))
	for _, e := range n.entries {
		if m[e.key], bad = valueWithBytes(e.value); bad != nil {
			return nil, bad
		}
	}
	return m, nil
}

func valueWithBytes(n *node) (value any, bad *node) {
	switch n.kind {
	case listNode:
		list := make([]any, len(n.items))
		for i, item := range n.items {
			if list[i], bad = valueWithBytes(item); bad != nil {
				return nil, bad
			}
		}
		return list, nil
	case mapNode:
		if encoded := n.get("base64"); encoded != nil && len(n.entries) == 1 {
			text, ok := encoded.value.(string)
			data, err := base64.StdEncoding.DecodeString(text)
			if !ok || err != nil {
				return nil, encoded
			}
			return data, nil
		}
		return withBytes(n)
	default:
		return n.value, nil
	}
}
