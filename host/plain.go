package host

import (
	"encoding/base64"
	"time"
	"unicode/utf8"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// Plain values are what JSON has: nil, bool, int64, float64, string, []any and
// map[string]any. This file shows calls and results as plain values; plain_parse.go
// goes the other way.
//
// Bytes are shown as a string when they are UTF-8, else as {"base64": "…"}. A
// stream is shown like its bytes when its position is zero, else as
// {"text": "…", "position": 3} or {"base64": "…", "position": 3}. Times are in
// seconds.

// Args gives the positional arguments of the call, as the original records them
// (S2.10). The caller owns the slice.
func (c Call) Args() []any {
	switch r := c.request.(type) {
	case *ApplyPatchRequest:
		return []any{plainOperations(r.Operations)}
	case *ExecRequest:
		return plainStrings(r.Command)
	case *PTYExecStartRequest:
		return plainStrings(r.Command)
	case *LsRequest:
		return []any{r.Path}
	case *MkdirRequest:
		return []any{r.Path}
	case *ReadRequest:
		return []any{r.Path}
	case *RmRequest:
		return []any{r.Path}
	case *recordedWrite:
		return []any{r.path, plainStream(r.data)}
	default:
		return []any{}
	}
}

// Kwargs gives the named arguments of the call, all of them, with nil for those
// that weren't given. The caller owns the map.
func (c Call) Kwargs() map[string]any {
	switch r := c.request.(type) {
	case *ApplyPatchRequest:
		return map[string]any{"patch_format": r.PatchFormat}
	case *ExecRequest:
		return map[string]any{"timeout": plainSeconds(r.Timeout), "shell": plainShell(r.Shell), "user": plainUser(r.User)}
	case *PTYExecStartRequest:
		return map[string]any{
			"timeout": plainSeconds(r.Timeout), "shell": plainShell(r.Shell), "user": plainUser(r.User), "tty": r.TTY,
			"yield_time_s": plainSeconds(r.YieldTime), "max_output_tokens": plainCount(r.MaxOutputTokens),
		}
	case *PTYWriteStdinRequest:
		return map[string]any{
			"session_id": r.SessionID, "chars": r.Chars,
			"yield_time_s": plainSeconds(r.YieldTime), "max_output_tokens": plainCount(r.MaxOutputTokens),
		}
	case *LsRequest:
		return map[string]any{"user": plainUser(r.User)}
	case *MkdirRequest:
		return map[string]any{"parents": r.Parents, "user": plainUser(r.User)}
	case *ReadRequest:
		return map[string]any{"user": plainUser(r.User)}
	case *RmRequest:
		return map[string]any{"recursive": r.Recursive, "user": plainUser(r.User)}
	case *recordedWrite:
		return map[string]any{"user": plainUser(r.user)}
	default:
		return map[string]any{}
	}
}

// PlainResult shows a result of Scripted.Do as a plain value. The caller owns it.
func PlainResult(result any) any {
	switch r := result.(type) {
	case ExecResult:
		return map[string]any{"stdout": plainBytes(r.Stdout), "stderr": plainBytes(r.Stderr), "exit_code": int64(r.ExitCode)}
	case Stream:
		return plainStream(r)
	case []FileEntry:
		list := make([]any, len(r))
		for i, entry := range r {
			list[i] = plainEntry(entry)
		}
		return list
	case PTYUpdate:
		return map[string]any{
			"process_id": plainPointer(r.ProcessID), "output": plainBytes(r.Output),
			"exit_code": plainPointer(r.ExitCode), "original_token_count": plainPointer(r.OriginalTokenCount),
		}
	case string:
		return r
	default:
		return nil
	}
}

// PlainContext shows the context of a sandbox error as plain values. The caller
// owns the map.
func (e *SandboxError) PlainContext() map[string]any {
	m := make(map[string]any, len(e.Context))
	for key, value := range e.Context {
		m[key] = plainAny(value)
	}
	return m
}

func plainAny(value any) any {
	switch v := value.(type) {
	case []byte:
		return plainBytes(v)
	case int:
		return int64(v)
	case time.Duration:
		return v.Seconds()
	case []string:
		return plainStrings(v)
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = plainAny(item)
		}
		return list
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, item := range v {
			m[key] = plainAny(item)
		}
		return m
	case string:
		return plainBytes([]byte(v))
	default:
		return value
	}
}

func plainEntry(e FileEntry) map[string]any {
	return map[string]any{
		"path": e.Path, "permissions": e.Permissions.String(), "owner": e.Owner, "group": e.Group,
		"size": int64(e.Size), "kind": e.Kind.String(),
	}
}

func plainOperations(operations []PatchOperation) []any {
	list := make([]any, len(operations))
	for i, op := range operations {
		m := map[string]any{"type": op.Type, "path": op.Path}
		if op.Diff != nil {
			m["diff"] = *op.Diff
		}
		if op.MoveTo != nil {
			m["move_to"] = *op.MoveTo
		}
		list[i] = m
	}
	return list
}

func plainStream(s Stream) any {
	if s.position == 0 {
		return plainBytes(s.data())
	}
	if data := s.data(); utf8.Valid(data) {
		return map[string]any{"text": string(data), "position": s.position}
	}
	return map[string]any{"base64": base64.StdEncoding.EncodeToString(s.data()), "position": s.position}
}

func plainBytes(data []byte) any {
	if utf8.Valid(data) {
		return string(data)
	}
	return map[string]any{"base64": base64.StdEncoding.EncodeToString(data)}
}

func plainStrings(list []string) []any {
	values := make([]any, len(list))
	for i, text := range list {
		values[i] = text
	}
	return values
}

func plainShell(s Shell) any {
	switch s.Mode {
	case abi.ShellOff:
		return false
	case abi.ShellArgv:
		return plainStrings(s.Argv)
	default:
		return true
	}
}

func plainSeconds(d time.Duration) any {
	if d == 0 {
		return nil
	}
	return d.Seconds()
}

func plainCount(n int64) any {
	if n == 0 {
		return nil
	}
	return n
}

func plainUser(name string) any {
	if name == "" {
		return nil
	}
	return name
}

func plainPointer(p *int) any {
	if p == nil {
		return nil
	}
	return int64(*p)
}
