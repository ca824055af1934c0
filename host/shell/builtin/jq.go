package builtin

import (
	"errors"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/wasmsandbox/wasmsandbox/host/shell"
)

// Exit codes of jq.
const (
	jqFalse   = 1 // the last output was false or null, with -e
	jqUsage   = 2
	jqCompile = 3
	jqNothing = 4 // no output, with -e
	jqFailed  = 5
)

// A jqRun is one jq.
type jqRun struct {
	c       *command
	options jqOptions
	input   *jqInput
	last    any
	printed bool
	code    int
}

// jq runs a filter over JSON.
func jq(c *command, args []string) int {
	o, err := c.jqOptions(args)
	if err != nil {
		return c.badUsage(jqUsage, err)
	}
	if o.version {
		c.print("jq-1.7\n")
		return 0
	}
	r := &jqRun{c: c, options: o}
	r.input = newJQInput(c, o)
	if err := r.run(); err != nil {
		return c.fail(jqCompile, "%v", err)
	}
	switch {
	case r.code != 0 || c.code != 0:
		return max(r.code, c.code)
	case !o.exitStatus:
		return 0
	case !r.printed:
		return jqNothing
	case r.last == nil || r.last == false:
		return jqFalse
	}
	return 0
}

// run compiles the filter and runs it for all inputs. The error is that of the
// filter.
func (r *jqRun) run() error {
	code, err := r.compile()
	if err != nil {
		return err
	}
	ctx, stop := watchMemory(r.c.Context)
	for !r.c.stop() {
		value, found := any(nil), true
		if !r.options.null {
			value, found = r.input.Next()
		}
		if !found {
			break
		}
		if err, failed := value.(error); failed {
			r.code = r.c.fail(jqUsage, "error: %v", err)
			break
		}
		r.code = 0 // the last input counts
		if !r.outputs(code.RunWithContext(ctx, value, r.options.values...)) || r.options.null {
			break
		}
	}
	if stop() && r.c.Err() == nil {
		r.code = r.c.fail(jqFailed, "error: %v", errMemory)
	}
	return nil
}

// outputs prints what a filter gives, and reports whether to go on.
func (r *jqRun) outputs(values gojq.Iter) bool {
	for !r.c.stop() {
		value, found := values.Next()
		if !found {
			return true
		}
		if err, failed := value.(error); failed {
			return r.failed(err)
		}
		r.last, r.printed = value, true
		if err := r.print(value); err != nil {
			r.code = r.c.fail(jqFailed, "error: %v", err)
			return false
		}
		if r.options.unbuffered {
			_ = r.c.out.Flush()
		}
	}
	return false
}

// failed tells of an error of a filter, and reports whether to go on.
func (r *jqRun) failed(err error) bool {
	var halt *gojq.HaltError
	if errors.As(err, &halt) {
		r.halt(halt)
		return false
	}
	if r.c.stop() || errors.Is(err, errMemory) || r.c.Err() != nil {
		return false
	}
	if bad, ok := errors.AsType[gojq.ValueError](err); ok { // its text has all of the value in it
		if tooLarge, failed := (&jqGuard{ended: r.c.Err}).small(bad.Value()).(error); failed {
			err = tooLarge
		}
	}
	text := err.Error()
	if !strings.HasPrefix(text, "error") {
		text = "error: " + text
	}
	r.c.say("%s", text)
	r.code = jqFailed
	return true
}

func (r *jqRun) halt(halt *gojq.HaltError) {
	r.code = halt.ExitCode() & 0xff
	r.options.exitStatus = false
	if halt.Value() == nil {
		return
	}
	_ = r.c.out.Flush()
	if text, ok := halt.Value().(string); ok {
		_, _ = r.c.Stderr.Write([]byte(text))
		return
	}
	p := jqPrinter{out: r.c.Stderr, ended: r.c.Err, indent: -1}
	if p.print(halt.Value()) == nil {
		_, _ = r.c.Stderr.Write([]byte("\n"))
	}
}

// print writes a value as the options say.
func (r *jqRun) print(value any) error {
	o := &r.options
	if o.sequence {
		r.c.print("\x1e")
	}
	if text, ok := value.(string); ok && o.raw {
		r.c.print(text)
	} else {
		p := jqPrinter{out: r.c.out, ended: r.c.Err, indent: o.indent, tab: o.tab, ascii: o.ascii}
		if err := p.print(value); err != nil {
			return err
		}
	}
	if !o.join {
		r.c.print(o.end)
	}
	return nil
}

// fileText reads a file that an option names.
func (c *command) fileText(name string) (string, error) {
	content, err := c.read(name)
	if err != nil {
		return "", complaint("error: Could not open " + name + ": " + shell.ErrorText(err))
	}
	return string(content), nil
}
