package scripts

import (
	"math"
	"slices"
	"strconv"
	"sync"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/host"
)

// A signature is what a method takes and returns.
type signature struct {
	method host.Method
	args   []*shape // the positional arguments
	rest   *shape   // any number of further ones; nil: none
	kwargs *shape
	result *shape
}

func (s *signature) has(i int) bool { return i >= 0 && (i < len(s.args) || s.rest != nil) }

// arg is the shape of a positional argument; nil if there is no such argument.
func (s *signature) arg(i int) *shape {
	if i < len(s.args) {
		return s.args[i]
	}
	return s.rest
}

// The shapes of scalars.
var (
	textShape     = &shape{want: "text", kinds: isText}
	userShape     = &shape{want: "text, or null for none", kinds: isText | isNull}
	boolShape     = &shape{want: "true or false", kinds: isBool}
	secondsShape  = &shape{want: "a number of seconds more than zero, or null for none", kinds: isNumber | isNull, valid: isPositive}
	countShape    = &shape{want: "a whole number more than zero, or null for none", kinds: isNumber | isNull, valid: isWhole(1, math.MaxInt64)}
	wholeShape    = &shape{want: "a whole number", kinds: isNumber, valid: isWhole(math.MinInt64, math.MaxInt64)}
	sizeShape     = &shape{want: "a whole number that isn't negative", kinds: isNumber, valid: isWhole(0, math.MaxInt64)}
	sizeOrNull    = &shape{want: "a whole number that isn't negative, or null for none", kinds: isNumber | isNull, valid: isWhole(0, math.MaxInt64)}
	exitShape     = &shape{want: "a whole number of 32 bits", kinds: isNumber, valid: isWhole(math.MinInt32, math.MaxInt32)}
	exitOrNull    = &shape{want: "a whole number of 32 bits, or null for none", kinds: isNumber | isNull, valid: isWhole(math.MinInt32, math.MaxInt32)}
	permissions   = &shape{want: "as ls prints them, for example -rw-r--r--", kinds: isText, valid: isPermissions}
	fileKindShape = &shape{want: "file, directory, symlink or other", kinds: isText, valid: isFileKind}
	shellShape    = &shape{want: "true, false or a list of text", kinds: isBool | isList, items: textShape}
	nothingShape  = &shape{want: "null", kinds: isNull}
)

// The shapes of what has parts.
var (
	bytesShape = &shape{want: `text, or {base64: "…"}`, kinds: isText | isMap, fields: []field{
		{"text", textShape, optional}, {"base64", textShape, optional},
	}}
	streamShape = &shape{want: `text, {text: "…"} or {base64: "…"}`, kinds: isText | isMap, fields: []field{
		{"text", textShape, optional}, {"base64", textShape, optional}, {"position", sizeShape, optional},
	}}
	execShape = &shape{want: "a map with stdout, stderr and exit_code", kinds: isMap, fields: []field{
		{"stdout", bytesShape, shown}, {"stderr", bytesShape, shown}, {"exit_code", exitShape, shown},
	}}
	ptyShape = &shape{want: "a map with process_id, output, exit_code and original_token_count", kinds: isMap, fields: []field{
		{"process_id", sizeOrNull, shown}, {"output", bytesShape, shown},
		{"exit_code", exitOrNull, shown}, {"original_token_count", sizeOrNull, shown},
	}}
	entryShape = &shape{want: "a map with a path", kinds: isMap, fields: []field{
		{"path", textShape, given}, {"permissions", permissions, shown}, {"owner", textShape, shown},
		{"group", textShape, shown}, {"size", sizeShape, shown}, {"kind", fileKindShape, shown},
	}}
	listingShape   = &shape{want: "a list of maps, each with a path", kinds: isList, items: entryShape, single: true}
	operationShape = &shape{want: "a map with type and path", kinds: isMap, fields: []field{
		{"type", textShape, given}, {"path", textShape, given}, {"diff", textShape, optional}, {"move_to", textShape, optional},
	}}
	operationsShape = &shape{want: "a list of operations", kinds: isList, items: operationShape, single: true}

	contextShape = &shape{want: "a map", kinds: isMap}
)

// errorShape is that of an error.
var errorShape = sync.OnceValue(func() *shape {
	return &shape{want: "a map", kinds: isMap, fields: []field{
		{"code", &shape{want: "text", kinds: isText, choices: choices("code")}, shown},
		{"op", &shape{want: "text", kinds: isText, choices: choices("op")}, shown},
		{"message", textShape, shown}, {"context", contextShape, shown},
		{"retryable", &shape{want: "true, false or null", kinds: isBool | isNull}, shown},
	}}
})

// signatures are those of all methods.
var signatures = makeSignatures()

func makeSignatures() map[host.Method]*signature {
	path := []*shape{textShape}
	user := field{"user", userShape, shown}
	command := []field{{"timeout", secondsShape, shown}, {"shell", shellShape, shown}, user}
	waits := []field{{"yield_time_s", secondsShape, shown}, {"max_output_tokens", countShape, shown}}
	start := slices.Concat(command, []field{{"tty", boolShape, shown}}, waits)
	stdin := slices.Concat([]field{{"session_id", wholeShape, given}, {"chars", textShape, given}}, waits)

	made := map[host.Method]*signature{}
	sign := func(m host.Method, args []*shape, rest, result *shape, kwargs ...field) {
		named := &shape{want: "a map", kinds: isMap, fields: kwargs, stranger: "isn't an argument of " + m.String()}
		made[m] = &signature{m, args, rest, named, result}
	}
	sign(host.MethodApplyPatch, []*shape{operationsShape}, nil, textShape, field{"patch_format", textShape, shown})
	sign(host.MethodExec, nil, textShape, execShape, command...)
	sign(host.MethodLs, path, nil, listingShape, user)
	sign(host.MethodMkdir, path, nil, nothingShape, field{"parents", boolShape, shown}, user)
	sign(host.MethodPTYExecStart, nil, textShape, ptyShape, start...)
	sign(host.MethodPTYWriteStdin, nil, nil, ptyShape, stdin...)
	sign(host.MethodRead, path, nil, streamShape, user)
	sign(host.MethodRm, path, nil, nothingShape, field{"recursive", boolShape, shown}, user)
	sign(host.MethodWrite, []*shape{textShape, streamShape}, nil, nothingShape, user)
	return made
}

func isPositive(n *node) bool {
	switch v := n.value.(type) {
	case int64:
		return v > 0
	case float64:
		return v > 0
	default:
		return false
	}
}

func isWhole(lowest, highest int64) func(n *node) bool {
	return func(n *node) bool {
		i, ok := integer(n)
		return ok && lowest <= i && i <= highest
	}
}

func isPermissions(n *node) bool {
	_, err := abi.ParsePermissions(n.text())
	return err == nil
}

func isFileKind(n *node) bool {
	_, ok := abi.ParseFileKind(n.text())
	return ok
}

// countOf is a number of things, such as "2 values".
func countOf(n int, thing string) string {
	text := strconv.Itoa(n) + " " + thing
	if n != 1 {
		text += "s"
	}
	return text
}

// argIndex is the position, counted from zero, that a key names.
func argIndex(key string) (int, bool) {
	i, err := strconv.Atoi(key)
	return i, err == nil && strconv.Itoa(i) == key && i >= 0
}
