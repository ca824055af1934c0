package v4a

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A jsonParser reads the JSON form of a patch.
type jsonParser struct {
	patch string
}

// parseJSON reads a patch that is one operation, a list of them, or an object with
// a list in operations or one in operation. Other fields are ignored.
func parseJSON(patch string) ([]abi.PatchOperation, error) {
	p := jsonParser{patch}
	document, err := p.document()
	if err != nil {
		return nil, err
	}
	operations := []abi.PatchOperation{}
	for item := range operationsOf(document) {
		operation, err := p.operation(item)
		if err != nil {
			return nil, err
		}
		operations = append(operations, operation)
	}
	return operations, nil
}

// document is all of a patch that is valid JSON.
func (p jsonParser) document() (jsonValue, error) {
	var all json.RawMessage
	err := json.Unmarshal([]byte(p.patch), &all)
	if err == nil {
		return jsonValue{all, strings.IndexAny(p.patch, "{[")}, nil
	}
	end := len(p.patch)
	if at, ok := errors.AsType[*json.SyntaxError](err); ok {
		end = min(end, int(at.Offset))
	}
	return jsonValue{}, &Error{Kind: InvalidJSON, Line: p.line(end), Text: err.Error()}
}

// operation reads an object. The diff of a file that is deleted isn't looked at.
func (p jsonParser) operation(item jsonValue) (op abi.PatchOperation, err error) {
	fields := item.fields("type", "path", "diff", "move_to")
	if fields == nil {
		return op, p.fail(NotAnOperation, item)
	}
	op.Type, _ = fields["type"].text()
	op.Path, _ = fields["path"].text()
	diff, hasDiff := fields["diff"].text()
	moveTo, hasMoveTo := fields["move_to"].text()
	switch {
	case op.Type != CreateFile && op.Type != UpdateFile && op.Type != DeleteFile:
		return op, p.fail(UnknownType, item)
	case op.Path == "":
		return op, p.fail(MissingPath, item)
	case op.Type != DeleteFile && !hasDiff:
		return op, p.fail(MissingDiff, item)
	case !hasMoveTo && !fields["move_to"].isNull():
		return op, p.fail(InvalidMoveTo, item)
	}
	if op.Type != DeleteFile {
		op.Diff = &diff
	}
	if hasMoveTo {
		op.MoveTo = &moveTo
	}
	return op, nil
}

// fail is an error about a value, and the line where it starts.
func (p jsonParser) fail(kind Kind, value jsonValue) error {
	return &Error{Kind: kind, Line: p.line(value.start), Text: value.short()}
}

// line is the number of the line that a byte is on.
func (p jsonParser) line(at int) int { return strings.Count(p.patch[:at], lf) + 1 }
