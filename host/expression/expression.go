// Package expression makes matchers of expressions in CEL, the Common
// Expression Language:
//
//	call.args[0] == "git" && call.kwargs.timeout != null
//
// An expression looks at the call through these variables:
//
//	call.index    int                the number of calls before this one
//	call.method   string             such as "exec"
//	call.args     list               the positional arguments, see host.Call.Args
//	call.kwargs   map(string, dyn)   the named arguments, see host.Call.Kwargs
//
// The data of a write is call.args[1]: what would be stored, from the stream's
// position on, as a string when that is UTF-8, else as bytes.
//
// The functions are those of CEL, and those of its strings extension whose
// results are no larger than what they are given: charAt, indexOf, lastIndexOf,
// lowerAscii, reverse, substring, trim and upperAscii; and join, for texts up to
// 16 MiB. None of them does input or output, or knows the time.
package expression

import (
	"context"
	"fmt"
	"sync"
	"unicode/utf8"

	"cel.dev/cel-go/cel"
	celenv "cel.dev/cel-go/common/env"
	"cel.dev/cel-go/common/types"

	"github.com/wasmsandbox/wasmsandbox/host"
)

const (
	// maxCost is how much work one evaluation may be, in CEL's own measure:
	// about half a second.
	maxCost = 10_000_000

	// checkInterval is after how many steps of a comprehension the context is
	// looked at.
	checkInterval = 100

	// maxSource is the longest source text, in characters.
	maxSource = 64 << 10
)

// A Matcher is a [host.Matcher] that evaluates an expression. It is immutable,
// and safe for concurrent use.
type Matcher struct {
	source  string
	program cel.Program
}

// Compile makes a matcher of an expression, which has to be a bool. The error is
// an *[Error].
func Compile(source string) (*Matcher, error) {
	env, err := environment()
	if err != nil {
		return nil, fmt.Errorf("expression: %w", err)
	}
	ast, issues := env.Compile(source)
	if issues.Err() != nil {
		return nil, compileError(source, issues)
	}
	if out := ast.OutputType(); !out.IsExactType(types.BoolType) {
		return nil, &Error{Source: source, Problems: []Problem{{Line: 1, Column: 1, Message: notBool(out)}}}
	}
	program, err := env.Program(ast,
		cel.EvalOptions(cel.OptOptimize),
		cel.CostLimit(maxCost),
		cel.InterruptCheckFrequency(checkInterval))
	if err != nil {
		return nil, &Error{Source: source, Problems: []Problem{{Line: 1, Column: 1, Message: err.Error()}}}
	}
	return &Matcher{source: source, program: program}, nil
}

func notBool(out *cel.Type) string {
	text := "the expression must be a bool, not " + out.String()
	if out.IsExactType(types.DynType) {
		text += "; compare it, for example with == true"
	}
	return text
}

// timeFunctions are left out, because some of them read the system's time zones.
var timeFunctions = []string{
	"getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear",
	"getHours", "getMilliseconds", "getMinutes", "getMonth", "getSeconds",
}

var environment = sync.OnceValues(func() (*cel.Env, error) {
	subset := celenv.NewLibrarySubset()
	for _, name := range timeFunctions {
		subset.AddExcludedFunctions(celenv.NewFunction(name))
	}
	strings, err := stringFunctions()
	if err != nil {
		return nil, err
	}
	return cel.NewCustomEnv(
		cel.StdLib(cel.StdLibSubset(subset)),
		cel.FunctionDecls(strings...),
		cel.Variable("call.index", cel.IntType),
		cel.Variable("call.method", cel.StringType),
		cel.Variable("call.args", cel.ListType(cel.DynType)),
		cel.Variable("call.kwargs", cel.MapType(cel.StringType, cel.DynType)),
		cel.CrossTypeNumericComparisons(true),
		cel.ParserExpressionSizeLimit(maxSource),
		cel.ASTValidators(cel.ValidateRegexLiterals()),
	)
})

// Source is the text that the matcher was made of.
func (m *Matcher) Source() string { return m.source }

// Match rejects a call for which the expression is false. When it can't be
// evaluated, or takes too long, the error is an *[EvalError].
func (m *Matcher) Match(ctx context.Context, call host.Call) (host.Verdict, error) {
	if err := ctx.Err(); err != nil {
		return host.Verdict{}, &EvalError{Source: m.source, Err: err}
	}
	value, _, err := m.program.ContextEval(ctx, map[string]any{
		"call.index":  int64(call.Index()),
		"call.method": call.Method().String(),
		"call.args":   arguments(call),
		"call.kwargs": call.Kwargs(),
	})
	if err != nil {
		if ended := ctx.Err(); ended != nil {
			err = ended
		}
		return host.Verdict{}, &EvalError{Source: m.source, Err: err}
	}
	if value == types.True {
		return host.Accept(), nil
	}
	return host.Reject("the expression is false: " + m.source), nil
}

func arguments(call host.Call) []any {
	args := call.Args()
	stream, ok := call.Data()
	if !ok || len(args) < 2 {
		return args
	}
	data := stream.Bytes()
	data = data[min(stream.Position(), int64(len(data))):]
	if utf8.Valid(data) {
		args[1] = string(data)
	} else {
		args[1] = data
	}
	return args
}
