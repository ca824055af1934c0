package scripts

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"iter"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/host"
	"github.com/wasmsandbox/wasmsandbox/host/pattern"
)

// A Call is what the driver calls, and what is expected of it.
type Call struct {
	Method host.Method
	Args   []any          // plain values, as [host.NewRequest] takes them
	Kwargs map[string]any // those left out take their defaults

	// Expect is what the result has to be like, as host.PlainResult shows it;
	// nil: whatever it is.
	Expect *pattern.Pattern

	// ExpectError is what the sandbox error has to be like that the call must
	// end with: a map with code, op, message, context and retryable. Nil: no
	// error is expected, but one that the script has is fine without Expect.
	ExpectError *pattern.Pattern

	Source string // where it is written, such as "script.yaml:12"
}

// Request makes the request of the call. Each has a reader of its own.
func (c *Call) Request() (host.Request, error) { return host.NewRequest(c.Method, c.Args, c.Kwargs) }

// calls reads the list of calls. A list that isn't one has been reported.
func (p *parser) calls(list *node) []Call {
	if list == nil || list.kind != listNode {
		return nil
	}
	calls := make([]Call, 0, len(list.items))
	for i, n := range list.items {
		field := atIndex("calls", i)
		if call, ok := readCall(&p.problems, field, n, p.violations[field]); ok {
			calls = append(calls, call)
		}
	}
	return calls
}

// readCall makes a call of a map that the schema has been applied to.
func readCall(c *problems, field string, n *node, violations []violation) (Call, bool) {
	for _, v := range violations {
		message := v.message
		if n.get("expect") != nil && n.get("expect_error") != nil && v.field == field {
			message = "can't have both expect and expect_error"
		}
		c.put(v.position, Problem{Field: v.field, Step: -1, Message: message, Err: v.err, whole: "call"})
	}
	if len(violations) > 0 {
		return Call{}, false
	}
	before := len(c.list)
	call := Call{Kwargs: n.get("kwargs").plainMap(), Source: c.file + ":" + strconv.Itoa(n.line)}
	call.Method, _ = host.ParseMethod(n.get("method").text())
	if args := n.get("args"); args != nil {
		call.Args, _ = args.plain().([]any)
	}
	c.arguments(field, n, &call)
	if expect := n.get("expect"); expect != nil {
		call.Expect = c.pattern(at(field, "expect"), "result", expect, expect.plain(), signatures[call.Method].result)
	}
	if expect := n.get("expect_error"); expect != nil {
		want := expect.plain()
		if code, ok := want.(string); ok {
			want = map[string]any{"code": code}
		}
		call.ExpectError = c.pattern(at(field, "expect_error"), "error", expect, want, errorShape())
	}
	return call, len(c.list) == before
}

// arguments notes what is wrong with the arguments of a call.
func (c *problems) arguments(field string, n *node, call *Call) {
	_, err := call.Request()
	var f fitting
	f.checkArgs(signatures[call.Method], n.get("args"), at(field, "args"))
	if kwargs := n.get("kwargs"); kwargs != nil {
		f.checkFields(signatures[call.Method].kwargs, kwargs, at(field, "kwargs"))
	}
	told := c.misfits(f, err)
	surplus := c.surplus(at(field, "args"), n.get("args"), signatures[call.Method], err)
	if told || err == nil {
		return
	}
	where, message := "", err.Error()
	if bad, ok := errors.AsType[*host.FieldError](err); ok {
		where, message = bad.Field, bad.Problem
	}
	if surplus && where == "args" {
		return
	}
	c.put(n.find(where).position, Problem{Field: at(field, where), Step: -1, Message: message, Err: err, whole: "call"})
}

// surplus notes that a method doesn't have so many positional arguments.
func (c *problems) surplus(field string, args *node, s *signature, cause error) bool {
	if args == nil || s.rest != nil || len(args.items) <= len(s.args) {
		return false
	}
	message := "must have " + countOf(len(s.args), "value") + ", not " + strconv.Itoa(len(args.items))
	if len(s.args) == 0 {
		message = "must be empty: " + s.method.String() + " has only kwargs"
	}
	c.add(args.position, field, message, cause)
	return true
}

// misfits notes what doesn't fit, and reports whether there is anything.
func (c *problems) misfits(f fitting, cause error) bool {
	for _, m := range f.found {
		c.add(m.position, m.field, m.message, cause)
	}
	return len(f.found) > 0
}

// pattern compiles what is expected of the result or error.
func (c *problems) pattern(field, root string, n *node, want any, s *shape) *pattern.Pattern {
	if n.kind != scalarNode || s != errorShape() { // a code alone has been checked
		f := fitting{mode: patterns}
		f.check(s, n, field)
		if c.misfits(f, nil) {
			return nil
		}
	}
	compiled, err := pattern.Compile(root, want)
	if err == nil {
		return compiled
	}
	where, message := "", err.Error()
	if bad, ok := errors.AsType[*pattern.Error](err); ok {
		where, message = bad.Field[len(root):], withoutField(bad)
		if where != "" && where[0] == '.' {
			where = where[1:]
		}
	}
	c.add(n.find(where).position, at(field, where), message, err)
	return nil
}

// maxCallLine is the length of the longest line of calls, in bytes.
const maxCallLine = 16 << 20

// ReadCalls reads calls as JSON Lines, one map a line with the keys that calls
// have in scripts:
//
//	{"method": "exec", "args": ["pwd"], "kwargs": {"timeout": 5}}
//
// Blank lines are skipped. A line that isn't a call gives an *[Error] instead,
// and the next one follows; an error of the reader, a line of more than 16 MiB,
// or one that isn't text in UTF-8, is the last. The name is for errors. The sequence can be used once.
func ReadCalls(r io.Reader, name string) iter.Seq2[Call, error] {
	return func(yield func(Call, error) bool) {
		scanner := bufio.NewScanner(r)
		scanner.Buffer(make([]byte, 0, 64<<10), maxCallLine)
		line := 0
		for scanner.Scan() {
			line++
			text := bytes.TrimPrefix(scanner.Bytes(), []byte("\xEF\xBB\xBF"))
			if len(bytes.TrimSpace(text)) == 0 {
				continue
			}
			binary := checkText(text)
			call, err := parseCall(name, line, text)
			if !yield(call, err) || binary != nil {
				return
			}
		}
		if err := scanner.Err(); err != nil {
			message := "can't be read: " + err.Error()
			if errors.Is(err, bufio.ErrTooLong) {
				message = "the line is longer than " + strconv.Itoa(maxCallLine>>20) + " MiB"
			}
			yield(Call{}, &Error{[]*Problem{{File: name, Line: line + 1, Column: 1, Step: -1, Message: message, Err: err}}})
		}
	}
}

// ReadAllCalls reads calls as ReadCalls does. The error is an *[Error] with all
// that is wrong.
func ReadAllCalls(r io.Reader, name string) ([]Call, error) {
	var calls []Call
	found := problems{file: name}
	for call, err := range ReadCalls(r, name) {
		if bad, ok := errors.AsType[*Error](err); ok {
			found.list = append(found.list, bad.Problems...)
			continue
		}
		calls = append(calls, call)
	}
	if err := found.err(); err != nil {
		return nil, err
	}
	return calls, nil
}

func parseCall(name string, line int, text []byte) (Call, error) {
	found := problems{file: name}
	n, syntax := parseDocument(".json", text)
	if syntax != nil {
		message := strings.Replace(syntax.message, "the file", "the line", 1)
		found.add(position{line, syntax.column}, "", message, syntax.err)
		return Call{}, found.err()
	}
	shift(n, line-1)
	call, ok := readCall(&found, "", n, callSchema().validate("", n))
	if !ok {
		return Call{}, found.err()
	}
	return call, nil
}

// shift moves a document down.
func shift(n *node, lines int) {
	n.line += lines
	for _, item := range n.items {
		shift(item, lines)
	}
	for i := range n.entries {
		n.entries[i].at.line += lines
		shift(n.entries[i].value, lines)
	}
}
