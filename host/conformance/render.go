package conformance

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// renderCall is a call as the kitchen-sink guest renders it. The guest in Go does so by code
// of its own, as those in other languages do: the suite compares the two.
func renderCall(call *abi.Call) string {
	var b rendering
	b.line("method", call.Method())
	b.line("index", call.Index)
	b.line("time_ns", call.TimeNS)
	switch r := call.Request.(type) {
	case *abi.ApplyPatchRequest:
		b.operations(r.Operations)
		b.line("patch_format", r.PatchFormat)
	case *abi.ExecRequest:
		b.list("command", r.Command)
		b.line("timeout_ns", r.Timeout.Nanoseconds())
		b.shell(r.Shell)
		b.line("user", r.User)
	case *abi.LsRequest:
		b.line("path", r.Path)
		b.line("user", r.User)
	case *abi.MkdirRequest:
		b.line("path", r.Path)
		b.flag("parents", r.Parents)
		b.line("user", r.User)
	case *abi.PTYExecStartRequest:
		b.list("command", r.Command)
		b.line("timeout_ns", r.Timeout.Nanoseconds())
		b.shell(r.Shell)
		b.line("user", r.User)
		b.flag("tty", r.TTY)
		b.line("yield_time_ns", r.YieldTime.Nanoseconds())
		b.line("max_output_tokens", r.MaxOutputTokens)
	case *abi.PTYWriteStdinRequest:
		b.line("session_id", r.SessionID)
		b.line("chars", r.Chars)
		b.line("yield_time_ns", r.YieldTime.Nanoseconds())
		b.line("max_output_tokens", r.MaxOutputTokens)
	case *abi.ReadRequest:
		b.line("path", r.Path)
		b.line("user", r.User)
	case *abi.RmRequest:
		b.line("path", r.Path)
		b.flag("recursive", r.Recursive)
		b.line("user", r.User)
	case *abi.WriteRequest:
		b.line("path", r.Path)
		b.line("data.size", r.Data.Content.Len())
		b.line("data.position", r.Data.Position)
		b.flag("data.text", r.Data.Text)
		b.line("user", r.User)
	}
	return b.String()
}

type rendering struct{ strings.Builder }

func (b *rendering) line(name string, value any) { fmt.Fprintf(b, "%s=%v\n", name, value) }

func (b *rendering) flag(name string, value bool) {
	b.line(name, map[bool]int{false: 0, true: 1}[value])
}

func (b *rendering) list(name string, values []string) {
	for i, v := range values {
		b.line(fmt.Sprintf("%s[%d]", name, i), v)
	}
}

func (b *rendering) shell(s abi.Shell) {
	b.line("shell.mode", uint8(s.Mode))
	b.list("shell.argv", s.Argv)
}

func (b *rendering) operations(list []abi.PatchOperation) {
	for i, op := range list {
		prefix := fmt.Sprintf("operations[%d].", i)
		b.line(prefix+"type", op.Type)
		b.line(prefix+"path", op.Path)
		if op.Diff != nil {
			b.line(prefix+"diff", *op.Diff)
		}
		if op.MoveTo != nil {
			b.line(prefix+"move_to", *op.MoveTo)
		}
	}
}

// renderConfig is a configuration as the kitchen-sink guest renders it.
func renderConfig(entries []abi.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Key + "=" + renderValue(e.Value) + "\n")
	}
	return b.String()
}

func renderValue(value abi.Value) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return strconv.FormatBool(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return `"` + v + `"`
	case []byte:
		return "0x" + hex.EncodeToString(v)
	case []abi.Value:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = renderValue(item)
		}
		return "[" + strings.Join(items, ",") + "]"
	case []abi.Entry:
		items := make([]string, len(v))
		for i, e := range v {
			items[i] = e.Key + "=" + renderValue(e.Value)
		}
		return "{" + strings.Join(items, ",") + "}"
	default:
		return fmt.Sprintf("unknown value of type %T", value)
	}
}
