package main

import (
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/guest"
)

// render logs the call, and returns the method's empty result.
func render(c *guest.Call) (guest.Result, error) {
	text := renderCall(c)
	guest.Info(text)
	if c.Method() == guest.Exec {
		return guest.Stdout(text), nil
	}
	return empty(c)
}

func renderCall(c *guest.Call) string {
	var b rendering
	b.text("method", c.Method().String())
	b.uint("index", c.Index())
	b.int("time_ns", c.Time().UnixNano())
	switch r := c.Request().(type) {
	case *guest.ApplyPatchRequest:
		for i, op := range r.Operations {
			b.operation("operations["+strconv.Itoa(i)+"].", op)
		}
		b.text("patch_format", r.PatchFormat)
	case *guest.ExecRequest:
		b.list("command", r.Command)
		b.int("timeout_ns", r.Timeout.Nanoseconds())
		b.shell(r.Shell)
		b.text("user", r.User)
	case *guest.PTYExecStartRequest:
		b.list("command", r.Command)
		b.int("timeout_ns", r.Timeout.Nanoseconds())
		b.shell(r.Shell)
		b.text("user", r.User)
		b.flag("tty", r.TTY)
		b.int("yield_time_ns", r.YieldTime.Nanoseconds())
		b.int("max_output_tokens", r.MaxOutputTokens)
	case *guest.PTYWriteStdinRequest:
		b.int("session_id", r.SessionID)
		b.text("chars", r.Chars)
		b.int("yield_time_ns", r.YieldTime.Nanoseconds())
		b.int("max_output_tokens", r.MaxOutputTokens)
	case *guest.LsRequest:
		b.file(r.Path, "", false, r.User)
	case *guest.ReadRequest:
		b.file(r.Path, "", false, r.User)
	case *guest.MkdirRequest:
		b.file(r.Path, "parents", r.Parents, r.User)
	case *guest.RmRequest:
		b.file(r.Path, "recursive", r.Recursive, r.User)
	case *guest.WriteRequest:
		b.text("path", r.Path)
		b.int("data.size", r.Data.Content.Size())
		b.uint("data.position", r.Data.Position)
		b.flag("data.text", r.Data.Text)
		b.text("user", r.User)
	}
	return b.String()
}

// A rendering is made line by line.
type rendering struct{ strings.Builder }

func (b *rendering) text(name, value string) { b.WriteString(name + "=" + value + "\n") }

func (b *rendering) int(name string, value int64) { b.text(name, strconv.FormatInt(value, 10)) }

func (b *rendering) uint(name string, value uint64) { b.text(name, strconv.FormatUint(value, 10)) }

func (b *rendering) flag(name string, value bool) {
	if value {
		b.text(name, "1")
	} else {
		b.text(name, "0")
	}
}

func (b *rendering) list(name string, values []string) {
	for i, v := range values {
		b.text(name+"["+strconv.Itoa(i)+"]", v)
	}
}

func (b *rendering) shell(s guest.Shell) {
	b.int("shell.mode", int64(s.Mode))
	b.list("shell.argv", s.Argv)
}

func (b *rendering) file(path, flag string, value bool, user string) {
	b.text("path", path)
	if flag != "" {
		b.flag(flag, value)
	}
	b.text("user", user)
}

func (b *rendering) operation(prefix string, op guest.PatchOperation) {
	b.text(prefix+"type", op.Type)
	b.text(prefix+"path", op.Path)
	if op.Diff != nil {
		b.text(prefix+"diff", *op.Diff)
	}
	if op.MoveTo != nil {
		b.text(prefix+"move_to", *op.MoveTo)
	}
}

// renderValue is a value of a configuration.
func renderValue(value guest.Value) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return `"` + v + `"`
	case []byte:
		return "0x" + hex.EncodeToString(v)
	case []guest.Value:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = renderValue(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case []guest.Entry:
		items := make([]string, len(v))
		for i, e := range v {
			items[i] = e.Key + "=" + renderValue(e.Value)
		}
		return "{" + strings.Join(items, ",") + "}"
	default:
		return "null"
	}
}
