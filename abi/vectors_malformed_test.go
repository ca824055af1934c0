package abi_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/wasmsandbox/wasmsandbox/abi"
)

// A malformedVector is an encoding that is refused for a reason at a place.
type malformedVector struct {
	name, about string
	message     string
	encoding    string
	reason      abi.Reason
	field       string
}

// reasonNames and layers are how the vectors call the reasons.
var reasonNames = map[abi.Reason]string{
	abi.ErrTruncated: "truncated", abi.ErrOverflow: "overflow", abi.ErrRange: "range",
	abi.ErrWireType: "wire_type", abi.ErrFieldNumber: "field_number",
	abi.ErrInvalidUTF8: "invalid_utf8", abi.ErrDepth: "depth", abi.ErrTooMany: "too_many",
	abi.ErrMissing: "missing", abi.ErrEnum: "enum", abi.ErrDigest: "digest",
}

var layers = map[abi.Reason]string{
	abi.ErrTruncated: "wire", abi.ErrOverflow: "wire", abi.ErrRange: "wire",
	abi.ErrWireType: "wire", abi.ErrFieldNumber: "wire",
	abi.ErrInvalidUTF8: "text", abi.ErrDepth: "depth", abi.ErrTooMany: "depth",
	abi.ErrMissing: "semantic", abi.ErrEnum: "semantic", abi.ErrDigest: "semantic",
}

// A frame puts a malformed field of one message into a message that travels.
type frame struct {
	prefix  string // of the names of its vectors
	message string
}

// wireVectors are the failures that every message shares.
func wireVectors() []malformedVector {
	var all []malformedVector
	for _, f := range []frame{{"call", "Call"}, {"open", "Open"}, {"reply", "Reply"}, {"panic", "Panic"}} {
		for _, v := range []malformedVector{
			{name: "tag_truncated", about: "a tag that does not end", encoding: "80", reason: abi.ErrTruncated},
			{name: "tag_overflow", about: "a tag of more than 64 bits", encoding: "ffffffffffffffffff02", reason: abi.ErrOverflow},
			{name: "tag_field_zero", about: "field number 0", encoding: "0000", reason: abi.ErrFieldNumber},
			{name: "tag_field_too_large", about: "field number 2^29", encoding: "808080801000", reason: abi.ErrFieldNumber},
			{name: "group", about: "a group, which no version has", encoding: "a306a406", reason: abi.ErrWireType},
			{name: "group_end", about: "the end of a group that has not begun", encoding: "a406", reason: abi.ErrWireType},
			{name: "wire_type_6", about: "a wire type that does not exist", encoding: "a606", reason: abi.ErrWireType},
			{name: "wire_type_7", about: "a wire type that does not exist", encoding: "a706", reason: abi.ErrWireType},
			{name: "unknown_varint_truncated", about: "an unknown number that does not end", encoding: "a006ff", reason: abi.ErrTruncated},
			{name: "unknown_varint_overflow", about: "an unknown number of more than 64 bits", encoding: "a00680808080808080808002", reason: abi.ErrOverflow},
			{name: "unknown_fixed64_truncated", about: "seven of eight bytes", encoding: "a10601020304050607", reason: abi.ErrTruncated},
			{name: "unknown_fixed32_truncated", about: "three of four bytes", encoding: "a506010203", reason: abi.ErrTruncated},
			{name: "unknown_bytes_truncated", about: "one of two bytes", encoding: "a2060261", reason: abi.ErrTruncated},
			{name: "unknown_length_huge", about: "a length of 2^64-1", encoding: "a206ffffffffffffffffff01", reason: abi.ErrTruncated},
		} {
			v.name, v.message, v.field = f.prefix+"_"+v.name, f.message, f.message
			all = append(all, v)
		}
	}
	return all
}

var malformedVectors = append(wireVectors(), []malformedVector{
	{"call_empty", "no bytes: a call needs a request", "Call", "", abi.ErrMissing, "Call.request"},
	{"call_no_request", "a call without a request", "Call", "0803", abi.ErrMissing, "Call.request"},
	{"call_request_unknown", "a request that is not defined", "Call", "0803" + "6200", abi.ErrMissing, "Call.request"},
	{"call_index_truncated", "a number that does not end", "Call", "2200" + "0880", abi.ErrTruncated, "Call.index"},
	{"call_index_overflow", "a number of more than 64 bits", "Call", "08ffffffffffffffffff02" + "2200", abi.ErrOverflow, "Call.index"},
	{"call_index_eleven_bytes", "a number of eleven bytes", "Call", "088080808080808080808001" + "2200", abi.ErrOverflow, "Call.index"},
	{"call_index_wire_type", "bytes where a number belongs", "Call", "0a00" + "2200", abi.ErrWireType, "Call.index"},
	{"call_time_fixed64", "a fixed number where a varint belongs", "Call", "110000000000000000" + "2200", abi.ErrWireType, "Call.time_ns"},
	{"call_exec_truncated", "a request longer than the data", "Call", "2206" + "0a03707764", abi.ErrTruncated, "Call.exec"},
	{"call_exec_wire_type", "a number where a request belongs", "Call", "2001", abi.ErrWireType, "Call.exec"},
	{"call_exec_command_past_request", "an argument that reaches past the request", "Call", "2204" + "0a03707764", abi.ErrTruncated, "ExecRequest.command"},
	{"call_exec_user_not_utf8", "a user that is not UTF-8", "Call", "2203" + "2201ff", abi.ErrInvalidUTF8, "ExecRequest.user"},
	{"call_exec_user_surrogate", "an encoded surrogate", "Call", "2205" + "2203eda080", abi.ErrInvalidUTF8, "ExecRequest.user"},
	{"call_exec_user_overlong", "an overlong encoding of a slash", "Call", "2204" + "2202c0af", abi.ErrInvalidUTF8, "ExecRequest.user"},
	{"call_exec_shell_mode_unknown", "a shell mode that is not defined", "Call", "2204" + "1a02" + "0803", abi.ErrEnum, "Shell.mode"},
	{"call_exec_shell_mode_256", "a mode that is 0 when cut to eight bits", "Call", "2205" + "1a03" + "088002", abi.ErrEnum, "Shell.mode"},
	{"call_apply_patch_type_not_utf8", "a type that is not UTF-8", "Call", "1a05" + "0a03" + "0a01ff", abi.ErrInvalidUTF8, "PatchOperation.type"},
	{"call_replaced_request_is_checked", "a broken request before another one", "Call", "4a03" + "1201ff" + "2200", abi.ErrInvalidUTF8, "ReadRequest.user"},
	{"call_write_digest_short", "a digest of 31 bytes", "Call", "5a27" + "1225" + "0a23" + "1221" + "1a1f" + strings.Repeat("00", 31), abi.ErrDigest, "Blob.sha256"},
	{"call_write_handle_range", "a handle of 33 bits", "Call", "5a0c" + "120a" + "0a08" + "1206" + "088080808010", abi.ErrRange, "Blob.handle"},

	{"open_seed_truncated", "a number that does not end", "Open", "10ff", abi.ErrTruncated, "Open.seed"},
	{"open_seed_overflow", "a number of more than 64 bits", "Open", "10ffffffffffffffffff7f", abi.ErrOverflow, "Open.seed"},
	{"open_limits_wire_type", "a number where a message belongs", "Open", "2001", abi.ErrWireType, "Open.limits"},
	{"open_limits_reply_bytes_wire_type", "bytes where a number belongs", "Open", "2202" + "1200", abi.ErrWireType, "Limits.reply_bytes"},
	{"open_config_key_not_utf8", "a key that is not UTF-8", "Open", "0a03" + "0a01ff", abi.ErrInvalidUTF8, "Entry.key"},
	{"open_config_text_not_utf8", "a text that is not UTF-8", "Open", "0a05" + "1203" + "1a01ff", abi.ErrInvalidUTF8, "Value.text"},
	{"open_config_depth_65", "a value one deeper than allowed", "Open", deepConfig(abi.MaxDepth + 1), abi.ErrDepth, "ValueList.values"},
	{"open_config_depth_1000", "a value much deeper than allowed", "Open", deepConfig(1000), abi.ErrDepth, "ValueList.values"},
	{"open_config_list_truncated", "a list that reaches past its value", "Open", "0a06" + "1202" + "2a02" + "0a00", abi.ErrTruncated, "Value.list"},

	{"reply_empty", "no bytes: a reply needs a kind", "Reply", "", abi.ErrMissing, "Reply.kind"},
	{"reply_only_unknown", "a kind that is not defined", "Reply", "3200", abi.ErrMissing, "Reply.kind"},
	{"reply_outcome_empty", "an outcome without a kind", "Reply", "1a00", abi.ErrMissing, "Outcome.kind"},
	{"reply_outcome_unknown", "an outcome of a kind that is not defined", "Reply", "1a02" + "4200", abi.ErrMissing, "Outcome.kind"},
	{"reply_outcome_truncated", "an outcome longer than the data", "Reply", "1a04" + "1200", abi.ErrTruncated, "Reply.outcome"},
	{"reply_outcome_wire_type", "a number where a message belongs", "Reply", "1801", abi.ErrWireType, "Reply.outcome"},
	{"reply_outcome_text_not_utf8", "a text that is not UTF-8", "Reply", "1a03" + "2a01ff", abi.ErrInvalidUTF8, "Outcome.text"},
	{"reply_outcome_exec_exit_code_range", "an exit code of 33 bits", "Reply", "1a08" + "1206" + "188080808010", abi.ErrRange, "ExecResult.exit_code"},
	{"reply_outcome_exec_exit_code_overflow", "an exit code of more than 64 bits", "Reply", "1a0d" + "120b" + "18ffffffffffffffffff02", abi.ErrOverflow, "ExecResult.exit_code"},
	{"reply_outcome_exec_content_past_stdout", "content that reaches past its field", "Reply", "1a07" + "1205" + "0a02" + "0a0161", abi.ErrTruncated, "Content.inline"},
	{"reply_outcome_listing_permissions_range", "permissions of 33 bits", "Reply", "1a0a" + "2208" + "0a06" + "108080808010", abi.ErrRange, "FileEntry.permissions"},
	{"reply_outcome_listing_kind_unknown", "a kind of file that is not defined", "Reply", "1a06" + "2204" + "0a02" + "3004", abi.ErrEnum, "FileEntry.kind"},
	{"reply_outcome_error_code_not_utf8", "a code that is not UTF-8", "Reply", "1a05" + "3a03" + "0a01ff", abi.ErrInvalidUTF8, "SandboxError.code"},
	{"reply_outcome_error_retryable_unknown", "a third answer", "Reply", "1a04" + "3a02" + "2803", abi.ErrEnum, "SandboxError.retryable"},
	{"reply_outcome_error_depth_65", "a context one deeper than allowed", "Reply", deepContext(abi.MaxDepth + 1), abi.ErrDepth, "ValueList.values"},
	{"reply_outcome_error_code_missing", "a sandbox error without a code", "Reply", "1a05" + "3a03" + "1a01" + "78", abi.ErrMissing, "SandboxError.code"},
	{"reply_outcome_stream_digest_long", "a digest of 33 bytes", "Reply", "1a29" + "1a27" + "0a25" + "1223" + "1a21" + strings.Repeat("00", 33), abi.ErrDigest, "Blob.sha256"},
	{"reply_outcome_void_truncated", "bytes that do not fit in", "Reply", "1a04" + "0a02" + "a006", abi.ErrTruncated, "Void"},
	{"reply_verdict_answer_unknown", "an answer that is not defined", "Reply", "1202" + "0803", abi.ErrEnum, "Verdict.answer"},
	{"reply_verdict_reason_not_utf8", "a reason that is not UTF-8", "Reply", "1203" + "1201ff", abi.ErrInvalidUTF8, "Verdict.reason"},
	{"reply_error_kind_unknown", "a kind of error that is not defined", "Reply", "2202" + "0806", abi.ErrEnum, "GuestError.kind"},
	{"reply_error_kind_negative", "a negative kind", "Reply", "220b" + "08ffffffffffffffffff01", abi.ErrEnum, "GuestError.kind"},
	{"reply_description_method_unknown", "a method that is not defined", "Reply", "0a05" + "3a03" + "22010c", abi.ErrEnum, "Handler.methods"},
	{"reply_description_method_zero", "no method", "Reply", "0a04" + "3a02" + "2000", abi.ErrEnum, "Handler.methods"},
	{"reply_description_methods_truncated", "a packed number that does not end", "Reply", "0a05" + "3a03" + "220184", abi.ErrTruncated, "Handler.methods"},
	{"reply_description_methods_wire_type", "a fixed number where a varint belongs", "Reply", "0a07" + "3a05" + "2504000000", abi.ErrWireType, "Handler.methods"},
	{"reply_description_handler_kind_unknown", "a kind of handler that is not defined", "Reply", "0a04" + "3a02" + "1803", abi.ErrEnum, "Handler.kind"},
	{"reply_description_handler_id_range", "an id of 33 bits", "Reply", "0a08" + "3a06" + "088080808010", abi.ErrRange, "Handler.id"},
	{"reply_done_wire_type", "a number where an empty message belongs", "Reply", "2801", abi.ErrWireType, "Reply.done"},

	{"panic_message_truncated", "a text longer than the data", "Panic", "0a0561", abi.ErrTruncated, "Panic.message"},
	{"panic_line_range", "a line of 33 bits", "Panic", "188080808010", abi.ErrRange, "Panic.line"},
	{"panic_line_overflow", "a line of more than 64 bits", "Panic", "18ffffffffffffffffff02", abi.ErrOverflow, "Panic.line"},
	{"panic_line_wire_type", "bytes where a number belongs", "Panic", "1a00", abi.ErrWireType, "Panic.line"},
	{"panic_stack_wire_type", "a number where a text belongs", "Panic", "2001", abi.ErrWireType, "Panic.stack"},
}...)

// deepConfig is an Open whose configuration nests that deep.
func deepConfig(depth int) string { return hex.EncodeToString(field(1, deepValue(depth))) }

// deepContext is a sandbox error in a Reply whose context nests that deep.
func deepContext(depth int) string {
	return hex.EncodeToString(field(3, field(7, field(4, deepValue(depth)))))
}

// deepValue is an entry's value: lists around null.
func deepValue(depth int) []byte {
	var value []byte
	for range depth - 1 {
		value = field(5, field(1, value))
	}
	return field(2, value)
}

// A vector of this would be too large for a file.
func TestTooManyEmbeddedMessagesAreRefused(t *testing.T) {
	body := bytes.Repeat([]byte{0x1a, 0x00}, abi.MaxMessages) // empty differences
	reply := append(binary.AppendUvarint([]byte{0x12}, uint64(len(body))), body...)
	var r abi.Reply
	if err := r.Unmarshal(reply); !errors.Is(err, abi.ErrTooMany) {
		t.Errorf("error %v", err)
	}
	body = body[:len(body)-2] // with the verdict itself as many as there may be
	reply = append(binary.AppendUvarint([]byte{0x12}, uint64(len(body))), body...)
	if err := r.Unmarshal(reply); err != nil || len(r.Verdict.Differences) != abi.MaxMessages-1 {
		t.Errorf("error %v", err)
	}
}
