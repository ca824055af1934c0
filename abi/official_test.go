package abi_test

import (
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/wasmsandbox/wasmsandbox/abi"
	"github.com/wasmsandbox/wasmsandbox/abi/internal/abipb"
)

// A message is one of the four that travel by themselves.
type message interface {
	Append(dst []byte) []byte
	Unmarshal(data []byte) error
}

// topLevel pairs each message with its counterpart of the official runtime.
var topLevel = []struct {
	name     string
	ours     func() message
	official func() proto.Message
}{
	{"Call", func() message { return new(abi.Call) }, func() proto.Message { return new(abipb.Call) }},
	{"Open", func() message { return new(abi.Open) }, func() proto.Message { return new(abipb.Open) }},
	{"Reply", func() message { return new(abi.Reply) }, func() proto.Message { return new(abipb.Reply) }},
	{"Panic", func() message { return new(abi.Panic) }, func() proto.Message { return new(abipb.Panic) }},
}

// marshal is the official runtime's encoding.
func marshal(m proto.Message) []byte {
	data, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err)
	}
	return data
}

// unmarshal decodes with the official runtime, without unknown fields and
// without what package abi doesn't tell from its absence.
func unmarshal(data []byte, m proto.Message) error {
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(data, m); err != nil {
		return err
	}
	normalize(m.ProtoReflect())
	return nil
}

// normalize drops embedded messages that are empty, and empty inline content.
func normalize(m protoreflect.Message) {
	if content, ok := m.Interface().(*abipb.Content); ok && len(content.GetInline()) == 0 && content.GetBlob() == nil {
		content.Source = nil
	}
	m.Range(func(field protoreflect.FieldDescriptor, v protoreflect.Value) bool {
		if field.Message() == nil {
			return true
		}
		if field.IsList() {
			for i := range v.List().Len() {
				normalize(v.List().Get(i).Message())
			}
			return true
		}
		normalize(v.Message())
		if field.ContainingOneof() == nil && proto.Size(v.Message().Interface()) == 0 {
			m.Clear(field)
		}
		return true
	})
}

// toOfficial converts a message, field by field.
func toOfficial(m message) proto.Message {
	switch m := m.(type) {
	case *abi.Call:
		return callPB(m)
	case *abi.Open:
		return &abipb.Open{
			Config: entriesPB(m.Config), Seed: m.Seed, StartTimeNs: m.StartTimeNS, Limits: limitsPB(m.Limits),
		}
	case *abi.Reply:
		return replyPB(m)
	case *abi.Panic:
		return &abipb.Panic{
			Message: bytesPB(m.Message), File: bytesPB(m.File), Line: m.Line, Stack: bytesPB(m.Stack),
		}
	default:
		panic(fmt.Sprintf("no counterpart of %T", m))
	}
}

func callPB(m *abi.Call) *abipb.Call {
	call := &abipb.Call{Index: m.Index, TimeNs: m.TimeNS}
	switch r := m.Request.(type) {
	case nil:
	case *abi.ApplyPatchRequest:
		call.Request = &abipb.Call_ApplyPatch{ApplyPatch: applyPatchPB(r)}
	case *abi.ExecRequest:
		call.Request = &abipb.Call_Exec{Exec: &abipb.ExecRequest{
			Command: partsPB(r.Command), TimeoutNs: int64(r.Timeout), Shell: shellPB(r.Shell), User: r.User,
		}}
	case *abi.LsRequest:
		call.Request = &abipb.Call_Ls{Ls: &abipb.LsRequest{Path: bytesPB(r.Path), User: r.User}}
	case *abi.MkdirRequest:
		call.Request = &abipb.Call_Mkdir{Mkdir: &abipb.MkdirRequest{
			Path: bytesPB(r.Path), Parents: r.Parents, User: r.User,
		}}
	case *abi.PTYExecStartRequest:
		call.Request = &abipb.Call_PtyExecStart{PtyExecStart: ptyExecStartPB(r)}
	case *abi.PTYWriteStdinRequest:
		call.Request = &abipb.Call_PtyWriteStdin{PtyWriteStdin: &abipb.PtyWriteStdinRequest{
			SessionId: r.SessionID, Chars: bytesPB(r.Chars),
			YieldTimeNs: int64(r.YieldTime), MaxOutputTokens: r.MaxOutputTokens,
		}}
	case *abi.ReadRequest:
		call.Request = &abipb.Call_Read{Read: &abipb.ReadRequest{Path: bytesPB(r.Path), User: r.User}}
	case *abi.RmRequest:
		call.Request = &abipb.Call_Rm{Rm: &abipb.RmRequest{
			Path: bytesPB(r.Path), Recursive: r.Recursive, User: r.User,
		}}
	case *abi.WriteRequest:
		call.Request = &abipb.Call_Write{Write: writePB(r)}
	default:
		panic(fmt.Sprintf("no counterpart of %T", r))
	}
	return call
}

func applyPatchPB(r *abi.ApplyPatchRequest) *abipb.ApplyPatchRequest {
	out := &abipb.ApplyPatchRequest{PatchFormat: r.PatchFormat}
	for _, op := range r.Operations {
		out.Operations = append(out.Operations, &abipb.PatchOperation{
			Type: op.Type, Path: bytesPB(op.Path), Diff: optionalPB(op.Diff), MoveTo: optionalPB(op.MoveTo),
		})
	}
	return out
}

func ptyExecStartPB(r *abi.PTYExecStartRequest) *abipb.PtyExecStartRequest {
	return &abipb.PtyExecStartRequest{
		Command: partsPB(r.Command), TimeoutNs: int64(r.Timeout), Shell: shellPB(r.Shell), User: r.User,
		Tty: r.TTY, YieldTimeNs: int64(r.YieldTime), MaxOutputTokens: r.MaxOutputTokens,
	}
}

func writePB(r *abi.WriteRequest) *abipb.WriteRequest {
	out := &abipb.WriteRequest{Path: bytesPB(r.Path), User: r.User}
	if data := streamPB(&r.Data); proto.Size(data) > 0 {
		out.Data = data
	}
	return out
}

func shellPB(s abi.Shell) *abipb.Shell {
	if s.Mode == 0 && len(s.Argv) == 0 {
		return nil
	}
	return &abipb.Shell{Mode: abipb.Shell_Mode(s.Mode), Argv: partsPB(s.Argv)}
}

func limitsPB(l abi.Limits) *abipb.Limits {
	if l == (abi.Limits{}) {
		return nil
	}
	return &abipb.Limits{
		InlineBytes: l.InlineBytes, ReplyBytes: l.ReplyBytes, LogBytes: l.LogBytes, BlobBytes: l.BlobBytes,
	}
}

func replyPB(m *abi.Reply) *abipb.Reply {
	switch {
	case m.Description != nil:
		return &abipb.Reply{Kind: &abipb.Reply_Description{Description: descriptionPB(m.Description)}}
	case m.Verdict != nil:
		return &abipb.Reply{Kind: &abipb.Reply_Verdict{Verdict: verdictPB(m.Verdict)}}
	case m.Outcome != nil:
		return &abipb.Reply{Kind: &abipb.Reply_Outcome{Outcome: outcomePB(m.Outcome)}}
	case m.Error != nil:
		return &abipb.Reply{Kind: &abipb.Reply_Error{Error: &abipb.GuestError{
			Kind: abipb.GuestError_Kind(m.Error.Kind), Message: m.Error.Message,
		}}}
	case m.Done:
		return &abipb.Reply{Kind: &abipb.Reply_Done{Done: &abipb.Void{}}}
	default:
		return &abipb.Reply{}
	}
}

func descriptionPB(m *abi.Description) *abipb.Description {
	out := &abipb.Description{
		Name: m.Name, Version: m.Version, Sdk: m.SDK, SdkVersion: m.SDKVersion,
		Language: m.Language, Toolchain: m.Toolchain, ConfigSchema: m.ConfigSchema,
	}
	for _, h := range m.Handlers {
		handler := &abipb.Handler{Id: h.ID, Name: h.Name, Kind: abipb.Handler_Kind(h.Kind)}
		for _, method := range h.Methods {
			handler.Methods = append(handler.Methods, uint32(method))
		}
		out.Handlers = append(out.Handlers, handler)
	}
	return out
}

func verdictPB(m *abi.Verdict) *abipb.Verdict {
	out := &abipb.Verdict{Answer: abipb.Verdict_Answer(m.Answer), Reason: m.Reason}
	for _, d := range m.Differences {
		out.Differences = append(out.Differences, &abipb.Difference{
			Field: d.Field, Expected: d.Expected, Actual: d.Actual,
		})
	}
	return out
}

func outcomePB(m *abi.Outcome) *abipb.Outcome {
	switch {
	case m.Void:
		return &abipb.Outcome{Kind: &abipb.Outcome_Void{Void: &abipb.Void{}}}
	case m.Exec != nil:
		return &abipb.Outcome{Kind: &abipb.Outcome_Exec{Exec: &abipb.ExecResult{
			Stdout: contentPB(m.Exec.Stdout), Stderr: contentPB(m.Exec.Stderr), ExitCode: m.Exec.ExitCode,
		}}}
	case m.Stream != nil:
		return &abipb.Outcome{Kind: &abipb.Outcome_Stream{Stream: streamPB(m.Stream)}}
	case m.Listing != nil:
		return &abipb.Outcome{Kind: &abipb.Outcome_Listing{Listing: listingPB(m.Listing)}}
	case m.Text != nil:
		return &abipb.Outcome{Kind: &abipb.Outcome_Text{Text: *m.Text}}
	case m.PTY != nil:
		return &abipb.Outcome{Kind: &abipb.Outcome_Pty{Pty: &abipb.PtyUpdate{
			ProcessId: m.PTY.ProcessID, Output: contentPB(m.PTY.Output),
			ExitCode: m.PTY.ExitCode, OriginalTokenCount: m.PTY.OriginalTokenCount,
		}}}
	case m.Error != nil:
		return &abipb.Outcome{Kind: &abipb.Outcome_Error{Error: &abipb.SandboxError{
			Code: string(m.Error.Code), Op: m.Error.Op, Message: m.Error.Message,
			Context: entriesPB(m.Error.Context), Retryable: abipb.SandboxError_Retryable(m.Error.Retryable),
		}}}
	default:
		return &abipb.Outcome{}
	}
}

func listingPB(m *abi.Listing) *abipb.Listing {
	out := &abipb.Listing{}
	for _, e := range m.Entries {
		out.Entries = append(out.Entries, &abipb.FileEntry{
			Path: bytesPB(e.Path), Permissions: uint32(e.Permissions), Owner: e.Owner, Group: e.Group,
			Size: e.Size, Kind: abipb.FileEntry_Kind(e.Kind),
		})
	}
	return out
}

func streamPB(m *abi.Stream) *abipb.Stream {
	return &abipb.Stream{Content: contentPB(m.Content), Position: m.Position, Text: m.Text}
}

func contentPB(m abi.Content) *abipb.Content {
	switch {
	case m.Blob != nil:
		return &abipb.Content{Source: &abipb.Content_Blob{Blob: &abipb.Blob{
			Handle: m.Blob.Handle, Size: m.Blob.Size, Sha256: m.Blob.SHA256,
		}}}
	case len(m.Inline) > 0:
		return &abipb.Content{Source: &abipb.Content_Inline{Inline: m.Inline}}
	default:
		return nil
	}
}

func entriesPB(entries []abi.Entry) []*abipb.Entry {
	var out []*abipb.Entry
	for _, e := range entries {
		entry := &abipb.Entry{Key: e.Key}
		if e.Value != nil {
			entry.Value = valuePB(e.Value)
		}
		out = append(out, entry)
	}
	return out
}

func valuePB(v abi.Value) *abipb.Value {
	switch v := v.(type) {
	case nil:
		return &abipb.Value{}
	case bool:
		return &abipb.Value{Kind: &abipb.Value_Bool{Bool: v}}
	case int64:
		return &abipb.Value{Kind: &abipb.Value_Int{Int: v}}
	case string:
		return &abipb.Value{Kind: &abipb.Value_Text{Text: v}}
	case []byte:
		return &abipb.Value{Kind: &abipb.Value_Data{Data: v}}
	case []abi.Value:
		list := &abipb.ValueList{}
		for _, element := range v {
			list.Values = append(list.Values, valuePB(element))
		}
		return &abipb.Value{Kind: &abipb.Value_List{List: list}}
	case []abi.Entry:
		return &abipb.Value{Kind: &abipb.Value_Map{Map: &abipb.ValueMap{Entries: entriesPB(v)}}}
	default:
		panic(fmt.Sprintf("no counterpart of %T", v))
	}
}

// bytesPB is a bytes field, nil when it is empty.
func bytesPB(s string) []byte {
	if s == "" {
		return nil
	}
	return []byte(s)
}

// optionalPB is a bytes field that may be set and empty.
func optionalPB(s *string) []byte {
	if s == nil {
		return nil
	}
	return append([]byte{}, *s...)
}

func partsPB(parts []string) [][]byte {
	var out [][]byte
	for _, part := range parts {
		out = append(out, []byte(part))
	}
	return out
}
