package abi_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"time"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A validVector is a message, and another encoding of it unless that is "".
type validVector struct {
	name, about string
	message     message
	encoding    string
}

func call(index uint64, timeNS int64, request abi.Request) *abi.Call {
	return &abi.Call{Index: index, TimeNS: timeNS, Request: request}
}

func outcome(o abi.Outcome) *abi.Reply { return &abi.Reply{Outcome: &o} }

func inline(s string) abi.Content { return abi.Content{Inline: []byte(s)} }

func blob(handle uint32, content string) abi.Content {
	digest := sha256.Sum256([]byte(content))
	return abi.Content{Blob: &abi.Blob{Handle: handle, Size: uint64(len(content)), SHA256: digest[:]}}
}

// nested is a value with depth-1 lists around it.
func nested(depth int) abi.Value {
	v := abi.Value(true)
	for range depth - 1 {
		v = []abi.Value{v}
	}
	return v
}

var validVectors = joinVectors(callVectors, openVectors, outcomeVectors, otherReplyVectors, panicVectors, encodingVectors)

func joinVectors(groups ...[]validVector) []validVector {
	var all []validVector
	for _, group := range groups {
		all = append(all, group...)
	}
	return all
}

const someTime = 1_700_000_000_000_000_000

var callVectors = []validVector{
	{name: "call_exec", about: "a plain command", message: call(3, someTime, &abi.ExecRequest{Command: []string{"pwd"}})},
	{name: "call_exec_full", about: "every field of exec", message: call(1, 2, &abi.ExecRequest{
		Command: []string{"ls", "-l", ""}, Timeout: 1500 * time.Millisecond,
		Shell: abi.Shell{Mode: abi.ShellArgv, Argv: []string{"bash", "-c"}}, User: "zoë",
	})},
	{name: "call_exec_empty", about: "first call, nothing given: the request is there all the same", message: call(0, 0, &abi.ExecRequest{})},
	{name: "call_exec_shell_off", about: "the command's parts are argv", message: call(0, 0, &abi.ExecRequest{
		Command: []string{"true"}, Shell: abi.Shell{Mode: abi.ShellOff},
	})},
	{name: "call_exec_shell_empty_argv", about: "an argv of its own that is empty", message: call(0, 0, &abi.ExecRequest{
		Command: []string{"true"}, Shell: abi.Shell{Mode: abi.ShellArgv},
	})},
	{name: "call_exec_not_utf8", about: "arguments are bytes", message: call(0, 0, &abi.ExecRequest{Command: []string{"echo", "\xff\xfe\x00"}})},
	{name: "call_exec_negative", about: "negative numbers take ten bytes", message: call(math.MaxUint64, math.MinInt64, &abi.ExecRequest{Timeout: -1})},
	{name: "call_apply_patch", about: "every kind of operation; a diff that is empty, one that isn't there", message: call(4, 0, &abi.ApplyPatchRequest{
		Operations: []abi.PatchOperation{
			{Type: "create_file", Path: "a.txt", Diff: new("+a\n")},
			{Type: "update_file", Path: "b.txt", Diff: new(""), MoveTo: new("c.txt")},
			{Type: "delete_file", Path: "d.txt"},
			{},
		},
		PatchFormat: "v4a",
	})},
	{name: "call_apply_patch_empty", about: "no operation", message: call(0, 0, &abi.ApplyPatchRequest{})},
	{name: "call_ls", about: "ls", message: call(5, 0, &abi.LsRequest{Path: "src", User: "root"})},
	{name: "call_mkdir", about: "mkdir", message: call(6, 0, &abi.MkdirRequest{Path: "a/b", Parents: true, User: "root"})},
	{name: "call_pty_exec_start", about: "every field of pty_exec_start", message: call(7, 0, &abi.PTYExecStartRequest{
		Command: []string{"sh"}, Timeout: time.Second, Shell: abi.Shell{Mode: abi.ShellOff}, User: "root",
		TTY: true, YieldTime: 250 * time.Millisecond, MaxOutputTokens: 1000,
	})},
	{name: "call_pty_exec_start_empty", about: "pty_exec_start, nothing given", message: call(0, 0, &abi.PTYExecStartRequest{})},
	{name: "call_pty_write_stdin", about: "every field of pty_write_stdin", message: call(8, 0, &abi.PTYWriteStdinRequest{
		SessionID: 1000, Chars: "ls\n\x04", YieldTime: time.Second, MaxOutputTokens: math.MaxInt64,
	})},
	{name: "call_read", about: "read", message: call(9, 0, &abi.ReadRequest{Path: "notes/日本.txt", User: "root"})},
	{name: "call_read_path_not_utf8", about: "paths are bytes", message: call(0, 0, &abi.ReadRequest{Path: "caf\xe9"})},
	{name: "call_rm", about: "rm", message: call(10, 0, &abi.RmRequest{Path: "tmp", Recursive: true, User: "root"})},
	{name: "call_write", about: "a stream that has been read from", message: call(11, 0, &abi.WriteRequest{
		Path: "a.txt", Data: abi.Stream{Content: inline("hello"), Position: 2, Text: true}, User: "root",
	})},
	{name: "call_write_empty", about: "an empty file: no data field", message: call(0, 0, &abi.WriteRequest{Path: "a.txt"})},
	{name: "call_write_blob", about: "content that travels as a blob", message: call(12, 0, &abi.WriteRequest{
		Path: "big.bin", Data: abi.Stream{Content: blob(1, strings.Repeat("x", 70_000))},
	})},
	{name: "call_write_position_past_end", about: "a position past the end, with no content", message: call(0, 0, &abi.WriteRequest{
		Path: "a.txt", Data: abi.Stream{Position: math.MaxUint64},
	})},
	{name: "call_write_not_utf8", about: "content is bytes, also that of a text stream", message: call(0, 0, &abi.WriteRequest{
		Path: "a.txt", Data: abi.Stream{Content: inline("\xff\x00"), Text: true},
	})},
	{name: "call_length_127", about: "the longest request whose length takes one byte", message: call(0, 0, &abi.ReadRequest{Path: strings.Repeat("a", 125)})},
	{name: "call_length_128", about: "the shortest request whose length takes two bytes", message: call(0, 0, &abi.ReadRequest{Path: strings.Repeat("a", 126)})},
}

var openVectors = []validVector{
	{name: "open_empty", about: "nothing set: no bytes", message: &abi.Open{}},
	{name: "open_full", about: "every field, and a configuration with every kind of value", message: &abi.Open{
		Config: everyValue(), Seed: math.MaxUint64, StartTimeNS: someTime,
		Limits: abi.Limits{InlineBytes: 64 << 10, ReplyBytes: 16 << 20, LogBytes: 1 << 20, BlobBytes: 64 << 20},
	}},
	{name: "open_negative_time", about: "a session that starts before 1970", message: &abi.Open{StartTimeNS: -1}},
	{name: "open_value_depth_64", about: "the deepest value that is allowed", message: &abi.Open{
		Config: []abi.Entry{{Key: "deep", Value: nested(abi.MaxDepth)}},
	}},
	{name: "open_value_wide", about: "more values beside each other than may be nested", message: &abi.Open{
		Config: []abi.Entry{{Key: "wide", Value: make([]abi.Value, 2*abi.MaxDepth)}},
	}},
}

// everyValue is entries with every kind of value and its edge cases.
func everyValue() []abi.Entry {
	return []abi.Entry{
		{Key: "", Value: "empty key"},
		{Key: "data", Value: []byte("\xff\x00")},
		{Key: "data_empty", Value: []byte{}},
		{Key: "false", Value: false},
		{Key: "int", Value: int64(-1)},
		{Key: "int_max", Value: int64(math.MaxInt64)},
		{Key: "int_min", Value: int64(math.MinInt64)},
		{Key: "int_zero", Value: int64(0)},
		{Key: "list", Value: []abi.Value{nil, true, int64(1), "a", []byte{0}, []abi.Value{}, []abi.Entry{}}},
		{Key: "list_empty", Value: []abi.Value{}},
		{Key: "map", Value: []abi.Entry{{Key: "a", Value: nil}, {Key: "b", Value: []abi.Entry{{Key: "c", Value: int64(300)}}}}},
		{Key: "map_empty", Value: []abi.Entry{}},
		{Key: "null", Value: nil},
		{Key: "text", Value: "grüße, 世界 \U0001F44B"},
		{Key: "text_empty", Value: ""},
		{Key: "true", Value: true},
	}
}

var outcomeVectors = []validVector{
	{name: "reply_outcome_void", about: "the result of write, rm and mkdir", message: outcome(abi.Outcome{Void: true})},
	{name: "reply_outcome_exec", about: "standard output and success", message: outcome(abi.Outcome{Exec: &abi.ExecResult{Stdout: inline("/workspace\n")}})},
	{name: "reply_outcome_exec_full", about: "both outputs, not UTF-8, and a failure", message: outcome(abi.Outcome{Exec: &abi.ExecResult{
		Stdout: inline("\xff"), Stderr: inline("no\n"), ExitCode: 127,
	}})},
	{name: "reply_outcome_exec_empty", about: "no output and success: an empty result", message: outcome(abi.Outcome{Exec: &abi.ExecResult{}})},
	{name: "reply_outcome_exec_blob", about: "output that travels as a blob", message: outcome(abi.Outcome{Exec: &abi.ExecResult{
		Stdout: blob(2, strings.Repeat("y", 70_000)), ExitCode: -1,
	}})},
	{name: "reply_outcome_exec_blob_without_digest", about: "guests may leave the digest out", message: outcome(abi.Outcome{Exec: &abi.ExecResult{
		Stdout: abi.Content{Blob: &abi.Blob{Handle: math.MaxUint32, Size: math.MaxUint64}},
	}})},
	{name: "reply_outcome_exec_min_exit_code", about: "the smallest number of 32 bits", message: outcome(abi.Outcome{Exec: &abi.ExecResult{ExitCode: math.MinInt32}})},
	{name: "reply_outcome_exec_max_exit_code", about: "the largest number of 32 bits", message: outcome(abi.Outcome{Exec: &abi.ExecResult{ExitCode: math.MaxInt32}})},
	{name: "reply_outcome_stream", about: "the result of read", message: outcome(abi.Outcome{Stream: &abi.Stream{Content: inline("hello"), Position: 1, Text: true}})},
	{name: "reply_outcome_stream_empty", about: "an empty file", message: outcome(abi.Outcome{Stream: &abi.Stream{}})},
	{name: "reply_outcome_stream_blob", about: "a blob of the call, handed back untouched", message: outcome(abi.Outcome{Stream: &abi.Stream{Content: blob(1, strings.Repeat("x", 70_000))}})},
	{name: "reply_outcome_listing", about: "every kind of file", message: outcome(abi.Outcome{Listing: &abi.Listing{Entries: []abi.FileEntry{
		{Path: "src", Permissions: abi.DirectoryBit | 0o755, Owner: "root", Group: "root", Size: 4096, Kind: abi.FileKindDirectory},
		{Path: "caf\xe9", Permissions: 0o644, Owner: "zoë", Group: "staff", Size: math.MaxUint64},
		{Path: "link", Permissions: 0o777, Kind: abi.FileKindSymlink},
		{Path: "fifo", Kind: abi.FileKindOther},
		{},
	}}})},
	{name: "reply_outcome_listing_empty", about: "an empty folder", message: outcome(abi.Outcome{Listing: &abi.Listing{}})},
	{name: "reply_outcome_text", about: "the result of apply_patch", message: outcome(abi.Outcome{Text: new("Done!")})},
	{name: "reply_outcome_text_empty", about: "a text that is set and empty", message: outcome(abi.Outcome{Text: new("")})},
	{name: "reply_outcome_pty_live", about: "a process that is alive", message: outcome(abi.Outcome{PTY: &abi.PTYUpdate{ProcessID: new(int64(1000)), Output: inline("$ ")}})},
	{name: "reply_outcome_pty_finished", about: "zeroes that are set", message: outcome(abi.Outcome{PTY: &abi.PTYUpdate{ExitCode: new(int32(0)), OriginalTokenCount: new(uint64(0))}})},
	{name: "reply_outcome_pty_full", about: "every field, negative numbers", message: outcome(abi.Outcome{PTY: &abi.PTYUpdate{
		ProcessID: new(int64(-1)), Output: inline("\xf0\x9f"), ExitCode: new(int32(-9)), OriginalTokenCount: new(uint64(math.MaxUint64)),
	}})},
	{name: "reply_outcome_pty_empty", about: "nothing set", message: outcome(abi.Outcome{PTY: &abi.PTYUpdate{}})},
	{name: "reply_outcome_error", about: "a sandbox error", message: outcome(abi.Outcome{Error: &abi.SandboxError{
		Code: abi.CodeWorkspaceReadNotFound, Context: []abi.Entry{{Key: "path", Value: "notes.txt"}},
	}})},
	{name: "reply_outcome_error_full", about: "every field, and a context with every kind of value", message: outcome(abi.Outcome{Error: &abi.SandboxError{
		Code: abi.CodeExecTimeout, Op: "exec", Message: "too slow", Context: everyValue(), Retryable: abi.RetryableYes,
	}})},
	{name: "reply_outcome_error_not_retryable", about: "a code of its own, not retryable", message: outcome(abi.Outcome{Error: &abi.SandboxError{
		Code: "custom", Retryable: abi.RetryableNo,
	}})},
}

var otherReplyVectors = []validVector{
	{name: "reply_description", about: "a guest written with an SDK", message: &abi.Reply{Description: &abi.Description{
		Name: "git", Version: "1.2.0", SDK: "wasmsandbox-go", SDKVersion: "1.0.0", Language: "go", Toolchain: "go1.26.0",
		Handlers: []abi.Handler{
			{ID: 1, Name: "only_git", Kind: abi.HandlerMatch, Methods: []abi.Method{abi.Exec}},
			{ID: 2, Name: "status", Kind: abi.HandlerRespond, Methods: []abi.Method{abi.Exec, abi.PTYExecStart}},
			{ID: math.MaxUint32, Name: "any", Kind: abi.HandlerRespond},
		},
		ConfigSchema: `{"type":"object"}`,
	}}},
	{name: "reply_description_empty", about: "a guest that says nothing", message: &abi.Reply{Description: &abi.Description{}}},
	{name: "reply_verdict_none", about: "no answer, which accepts", message: &abi.Reply{Verdict: &abi.Verdict{}}},
	{name: "reply_verdict_accept", about: "accepted", message: &abi.Reply{Verdict: &abi.Verdict{Answer: abi.AnswerAccept}}},
	{name: "reply_verdict_reject", about: "rejected with reason and differences", message: &abi.Reply{Verdict: &abi.Verdict{
		Answer: abi.AnswerReject, Reason: "not git",
		Differences: []abi.Difference{{Field: "args[0]", Expected: "git", Actual: "ls"}, {}},
	}}},
	{name: "reply_error", about: "a handler that failed", message: &abi.Reply{Error: &abi.GuestError{Kind: abi.GuestHandlerFailed, Message: "no such branch"}}},
	{name: "reply_error_unsupported_method", about: "the last kind of error", message: &abi.Reply{Error: &abi.GuestError{Kind: abi.GuestUnsupportedMethod}}},
	{name: "reply_error_empty", about: "a reason that isn't given", message: &abi.Reply{Error: &abi.GuestError{}}},
	{name: "reply_done", about: "the answer of open and close", message: &abi.Reply{Done: true}},
}

var panicVectors = []validVector{
	{name: "panic_empty", about: "a guest that can't say why: no bytes", message: &abi.Panic{}},
	{name: "panic_full", about: "every field; text that need not be UTF-8", message: &abi.Panic{
		Message: "index out of range \xff", File: "git.go", Line: math.MaxUint32, Stack: "main.status()\n\tgit.go:12\n",
	}},
}

// encodingVectors are encodings that no writer produces and every reader takes.
var encodingVectors = []validVector{
	{
		name: "any_call_unknown_fields", about: "fields of a later minor version, of each wire type, are skipped",
		message:  call(3, 0, &abi.ExecRequest{Command: []string{"pwd"}}),
		encoding: "0803" + "a006ac02" + "a1060102030405060708" + "aa0603ffffff" + "ad0601020304" + "2209" + "0a03707764" + "f2ff7f00" + "f8ffffff0f01",
	},
	{
		name: "any_call_field_order", about: "fields in another order",
		message:  call(3, 7, &abi.ExecRequest{Command: []string{"pwd"}, User: "a"}),
		encoding: "2208" + "220161" + "0a03707764" + "1007" + "0803",
	},
	{
		name: "any_call_last_scalar_wins", about: "a number that occurs twice: the last one counts",
		message:  call(5, 0, &abi.ReadRequest{Path: "b"}),
		encoding: "0803" + "4a06" + "0a0161" + "0a0162" + "0805",
	},
	{
		name: "any_call_last_request_wins", about: "requests of two methods: the last one counts",
		message:  call(0, 0, &abi.LsRequest{User: "b"}),
		encoding: "4a03" + "0a0161" + "2a03" + "120162",
	},
	{
		name: "any_call_request_merges", about: "one request in two parts",
		message:  call(0, 0, &abi.ExecRequest{Command: []string{"a", "b"}, Shell: abi.Shell{Mode: abi.ShellArgv, Argv: []string{"c", "d"}}}),
		encoding: "220a" + "0a0161" + "1a05" + "0802" + "120163" + "2208" + "0a0162" + "1a03" + "120164",
	},
	{
		name: "any_call_long_varints", about: "numbers and lengths in more bytes than needed",
		message:  call(3, 0, &abi.ReadRequest{Path: "a"}),
		encoding: "88008380808080808080" + "8000" + "4a878000" + "8a8000" + "818000" + "61",
	},
	{
		name: "any_call_defaults", about: "defaults that are written out",
		message:  call(0, 0, &abi.WriteRequest{}),
		encoding: "0800" + "1000" + "5a0c" + "0a00" + "1206" + "0a020a00" + "1000" + "1a00",
	},
	{
		name: "any_open_empty_limits", about: "embedded messages that say nothing",
		message:  &abi.Open{Config: []abi.Entry{{Key: "a"}}},
		encoding: "0a05" + "0a0161" + "1200" + "2200",
	},
	{
		name: "any_reply_methods_not_packed", about: "repeated numbers one by one, and packed in two parts",
		message:  &abi.Reply{Description: &abi.Description{Handlers: []abi.Handler{{Methods: []abi.Method{abi.Exec, abi.Ls, abi.Rm, abi.Write}}}}},
		encoding: "0a0b" + "3a09" + "2004" + "2202050a" + "22010b",
	},
	{
		name: "any_reply_last_kind_wins", about: "an error after an outcome: only the error counts",
		message:  &abi.Reply{Error: &abi.GuestError{Kind: abi.GuestBadMessage}},
		encoding: "1a02" + "0a00" + "2202" + "0803",
	},
	{
		name: "any_reply_outcome_merges", about: "a result in two parts, with content that is replaced",
		message:  outcome(abi.Outcome{Exec: &abi.ExecResult{Stdout: inline("b"), ExitCode: 1}}),
		encoding: "1a07" + "1205" + "0a030a0161" + "1a09" + "1207" + "0a030a0162" + "1802",
	},
	{
		name: "any_reply_content_inline_after_blob", about: "inline content after a blob: only the inline content counts",
		message:  outcome(abi.Outcome{Stream: &abi.Stream{Content: inline("a")}}),
		encoding: "1a0b" + "1a09" + "0a07" + "12020801" + "0a0161",
	},
	{
		name: "any_reply_true_is_any_but_zero", about: "a truth value of two",
		message:  outcome(abi.Outcome{Stream: &abi.Stream{Text: true}}),
		encoding: "1a04" + "1a02" + "1802",
	},
	{
		name: "any_open_value_list_merges", about: "lists of one value are joined",
		message:  &abi.Open{Config: []abi.Entry{{Key: "a", Value: []abi.Value{true, false}}}},
		encoding: "0a13" + "0a0161" + "1206" + "2a040a020801" + "1206" + "2a040a020800",
	},
	{
		name: "any_open_value_map_merges", about: "maps of one value are joined, in their order",
		message:  &abi.Open{Config: []abi.Entry{{Key: "a", Value: []abi.Entry{{Key: "b"}, {Key: "c"}}}}},
		encoding: "0a15" + "0a0161" + "1207" + "32050a030a0162" + "1207" + "32050a030a0163",
	},
	{
		name: "any_panic_unknown_fields", about: "only unknown fields",
		message:  &abi.Panic{},
		encoding: "7a0568656c6c6f" + "8001" + "01",
	},
}

// data is the vector's encoding.
func (v validVector) data() []byte {
	if v.encoding == "" {
		return v.message.Append(nil)
	}
	data, err := hex.DecodeString(v.encoding)
	if err != nil {
		panic(v.name + ": " + err.Error())
	}
	return bytes.Clone(data)
}
