package host

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host/similar"
)

// A commandAnswer is what a command printed: a result of the call's method, an
// error of the sandbox, or a verdict.
type commandAnswer struct {
	result  any
	failure *SandboxError
	verdict *Verdict
}

// readAnswer makes an answer of how a command ended. The error says what is wrong
// with it, or is the command's own.
func readAnswer(kind commandKind, method Method, end ending) (*commandAnswer, *GuestError) {
	switch {
	case end.exitCode != 0:
		return nil, &GuestError{Kind: GuestExit, ExitCode: int(end.exitCode)}
	case isBlank(end.stdout.Bytes):
		return nil, &GuestError{Kind: GuestBadReply, Message: "it printed nothing on standard output"}
	}
	document, err := parsePlainJSON(end.stdout.Bytes)
	if err != nil {
		return nil, &GuestError{Kind: GuestBadReply, Message: "its output " + err.Error(), Err: err}
	}
	return parseAnswer(kind, method, document)
}

// isBlank reports whether there is nothing but what JSON takes for space.
func isBlank(data []byte) bool { return strings.Trim(string(data), " \t\r\n") == "" }

// answerKeys are what a command may answer with.
var answerKeys = map[commandKind][]string{
	kindRespond: {"result", "error", "failed"},
	kindMatch:   {"verdict", "failed"},
}

// parseAnswer reads a document, which has exactly one key.
func parseAnswer(kind commandKind, method Method, document any) (*commandAnswer, *GuestError) {
	var failure *FieldError
	whole := plainFields{failure: &failure, values: map[string]any{"": document}}
	m := whole.mapping("", "result", "error", "verdict", "failed")
	known := answerKeys[kind]
	if len(m.values) != 1 || !slices.ContainsFunc(known, m.has) {
		m.fail("", "must have exactly one of "+strings.Join(known, ", "))
	}
	if failure == nil && m.values["failed"] != nil {
		if text := m.text("failed"); failure == nil {
			return nil, &GuestError{Kind: GuestFailed, Message: text}
		}
	}
	var answer commandAnswer
	switch {
	case failure != nil:
	case m.has("result"):
		answer.result, failure = commandResult(method, m.values["result"])
	case m.has("error"):
		answer.failure = m.sandboxError("error")
	case m.has("verdict"):
		answer.verdict = m.verdict("verdict")
	default:
		m.mismatch("failed", "text")
	}
	if failure != nil {
		return nil, &GuestError{Kind: GuestBadReply, Message: "its outcome: " + failure.Error(), Err: failure}
	}
	return &answer, nil
}

// commandResult is a result, with errors that name it.
func commandResult(method Method, plain any) (any, *FieldError) {
	var failure *FieldError
	whole := plainFields{failure: &failure, values: map[string]any{"": plain}}
	result := parseResult(method, whole)
	switch {
	case failure == nil:
		return result, nil
	case failure.Field == "":
		failure.Field = "result"
	case failure.Field[0] == '[':
		failure.Field = "result" + failure.Field
	default:
		failure.Field = "result." + failure.Field
	}
	return nil, failure
}

func (f plainFields) has(key string) bool {
	_, ok := f.values[key]
	return ok
}

// sandboxError is an error as scripts write it: only the code is needed.
func (f plainFields) sandboxError(key string) *SandboxError {
	m := f.mapping(key, "code", "op", "message", "context", "retryable")
	code := Code(m.text("code"))
	if _, known := codes[code]; !known {
		m.fail("code", "isn't a known code"+meant(string(code), Codes()))
	}
	e := NewSandboxError(code, m.context("context"), nil)
	if op := Op(m.textOr("op", string(e.Op))); op != "" && !slices.Contains(ops, op) {
		m.fail("op", "isn't a known operation"+meant(string(op), ops))
	} else {
		e.Op = op
	}
	e.Message = m.textOr("message", e.Message)
	if m.values["retryable"] != nil {
		e.Retryable = RetryableNo
		if m.boolean("retryable") {
			e.Retryable = RetryableYes
		}
	}
	return e
}

// meant says which of the known words may be meant by another one, if one is like it.
func meant[T ~string](given string, known []T) string {
	names := make([]string, len(known))
	for i, name := range known {
		names[i] = string(name)
	}
	if names = similar.Names(given, names); len(names) != 1 {
		return ""
	}
	return "; did you mean " + names[0] + "?"
}

// verdict is a matcher's answer. Differences are text, for people.
func (f plainFields) verdict(key string) *Verdict {
	m := f.mapping(key, "answer", "reason", "differences")
	v := &Verdict{Reason: m.textOr("reason", "")}
	switch m.text("answer") {
	case "accept":
		v.Answer = abi.AnswerAccept
	case "reject":
		v.Answer = abi.AnswerReject
	case "none":
	default:
		m.fail("answer", "must be accept, reject or none")
	}
	if m.values["differences"] != nil {
		m.each("differences", []string{"field", "expected", "actual"}, func(d plainFields) {
			v.Differences = append(v.Differences, Difference{
				Field: d.text("field"), Expected: d.textOr("expected", ""), Actual: d.textOr("actual", ""),
			})
		})
	}
	return v
}

// context is a map of plain values, where {"base64": "…"} is bytes.
func (f plainFields) context(key string) map[string]any {
	values, ok := f.values[key].(map[string]any)
	switch {
	case f.values[key] == nil:
		return nil
	case !ok:
		f.mismatch(key, "a map")
		return nil
	}
	converted, err := withPlainBytes(values)
	if err != nil {
		f.fail(key, "has base64 that isn't standard base64 with padding")
	}
	m, _ := converted.(map[string]any)
	return m
}

// withPlainBytes is a plain value with bytes in the place of {"base64": "…"}.
func withPlainBytes(value any) (_ any, err error) {
	switch v := value.(type) {
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			if list[i], err = withPlainBytes(item); err != nil {
				return nil, err
			}
		}
		return list, nil
	case map[string]any:
		if encoded, ok := v["base64"]; ok && len(v) == 1 {
			text, isText := encoded.(string)
			if !isText {
				return nil, fmt.Errorf("base64 is a %T", encoded)
			}
			return base64.StdEncoding.DecodeString(text)
		}
		m := make(map[string]any, len(v))
		for key, item := range v {
			if m[key], err = withPlainBytes(item); err != nil {
				return nil, err
			}
		}
		return m, nil
	default:
		return value, nil
	}
}
