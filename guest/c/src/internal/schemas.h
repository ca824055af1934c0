/* The tables of all messages, in the order of abi.proto. */
#ifndef WASMSANDBOX_SCHEMAS_H
#define WASMSANDBOX_SCHEMAS_H

#include "schema.h"

#define PLAIN(t, s, member) {.type = TYPE_##t, .offset = offsetof(s, member)}
#define ENUM(s, member, highest) {.type = TYPE_ENUM, .offset = offsetof(s, member), .detail = (highest)}
#define FLAGGED(t, s, member) \
	{.type = TYPE_##t, .presence = PRESENCE_FLAG, .offset = offsetof(s, member), .detail = offsetof(s, has_##member)}
#define CASE(t, s, member) {.type = TYPE_##t, .presence = PRESENCE_ONEOF, .offset = offsetof(s, member)}
#define REPEATED(t, s, member) {.type = TYPE_##t, .presence = PRESENCE_REPEATED, .offset = offsetof(s, member)}
#define EMBEDDED(s, member, sub) {.type = TYPE_MESSAGE, .offset = offsetof(s, member), .detail = SCHEMA_##sub}
#define EMBEDDED_CASE(s, member, sub) \
	{.type = TYPE_MESSAGE, .presence = PRESENCE_ONEOF, .offset = offsetof(s, member), .detail = SCHEMA_##sub}
#define EMBEDDED_REPEATED(s, member, sub) \
	{.type = TYPE_MESSAGE, .presence = PRESENCE_REPEATED, .offset = offsetof(s, member), .detail = SCHEMA_##sub}

#define SCHEMA(member, s) \
	.first = offsetof(schema_fields, member) / sizeof(schema_field), \
	.count = sizeof(((schema_fields *)0)->member) / sizeof(schema_field), .size = sizeof(s)
#define ONEOF(s, tag, members) \
	.case_offset = offsetof(s, tag), .union_offset = offsetof(s, members), .union_size = sizeof(((s *)0)->members)

/* The fields of all messages in one array, so that a schema refers to its own by a
 * number of one byte. A member with a wrong size is found by the test vectors. */
typedef struct schema_fields {
	schema_field
		entry[2], list[1], map[1], value[6], blob[3], content[2], stream[3], operation[4],
		apply_patch[2], shell[2], exec[4], ls[2], mkdir[3], pty_exec_start[7], pty_write_stdin[4],
		read[2], rm[3], write[3], call[11], limits[4], open[4], handler[4], description[8],
		difference[3], verdict[3], exec_result[3], file_entry[6], listing[1], pty_update[4],
		sandbox_error[5], outcome[7], guest_error[2], reply[5], panic[4];
} schema_fields;

static const schema_fields all_fields = {
	/* shared values */
	.entry = {
		PLAIN(TEXT, wasmsandbox_entry, key),
		EMBEDDED(wasmsandbox_entry, value, VALUE),
	},
	.list = {
		{.type = TYPE_MESSAGE, .presence = PRESENCE_REPEATED, .detail = SCHEMA_VALUE},
	},
	.map = {
		{.type = TYPE_MESSAGE, .presence = PRESENCE_REPEATED, .detail = SCHEMA_ENTRY},
	},
	.value = {
		CASE(BOOL, wasmsandbox_value, as.boolean),
		CASE(SINT64, wasmsandbox_value, as.integer),
		CASE(TEXT, wasmsandbox_value, as.string),
		CASE(BYTES, wasmsandbox_value, as.bytes),
		EMBEDDED_CASE(wasmsandbox_value, as.list, LIST),
		EMBEDDED_CASE(wasmsandbox_value, as.map, MAP),
	},
	.blob = {
		PLAIN(UINT32, wasmsandbox_blob, handle),
		PLAIN(UINT64, wasmsandbox_blob, size),
		PLAIN(DIGEST, wasmsandbox_blob, sha256),
	},
	.content = {
		{.type = TYPE_BYTES, .presence = PRESENCE_ONEOF_NOT_EMPTY, .offset = offsetof(wasmsandbox_content, as.bytes)},
		EMBEDDED_CASE(wasmsandbox_content, as.blob, BLOB),
	},
	.stream = {
		EMBEDDED(wasmsandbox_stream, content, CONTENT),
		PLAIN(UINT64, wasmsandbox_stream, position),
		PLAIN(BOOL, wasmsandbox_stream, text),
	},

	/* host to guest */
	.operation = {
		PLAIN(TEXT, wasmsandbox_patch_operation, type),
		PLAIN(BYTES, wasmsandbox_patch_operation, path),
		FLAGGED(BYTES, wasmsandbox_patch_operation, diff),
		FLAGGED(BYTES, wasmsandbox_patch_operation, move_to),
	},
	.apply_patch = {
		EMBEDDED_REPEATED(wasmsandbox_apply_patch_request, operations, OPERATION),
		PLAIN(TEXT, wasmsandbox_apply_patch_request, patch_format),
	},
	.shell = {
		ENUM(wasmsandbox_shell, mode, WASMSANDBOX_SHELL_ARGV),
		REPEATED(BYTES, wasmsandbox_shell, argv),
	},
	.exec = {
		REPEATED(BYTES, wasmsandbox_exec_request, command),
		PLAIN(UINT64, wasmsandbox_exec_request, timeout_ns),
		EMBEDDED(wasmsandbox_exec_request, shell, SHELL),
		PLAIN(TEXT, wasmsandbox_exec_request, user),
	},
	.ls = {
		PLAIN(BYTES, wasmsandbox_ls_request, path),
		PLAIN(TEXT, wasmsandbox_ls_request, user),
	},
	.mkdir = {
		PLAIN(BYTES, wasmsandbox_mkdir_request, path),
		PLAIN(BOOL, wasmsandbox_mkdir_request, parents),
		PLAIN(TEXT, wasmsandbox_mkdir_request, user),
	},
	.pty_exec_start = {
		REPEATED(BYTES, wasmsandbox_pty_exec_start_request, command),
		PLAIN(UINT64, wasmsandbox_pty_exec_start_request, timeout_ns),
		EMBEDDED(wasmsandbox_pty_exec_start_request, shell, SHELL),
		PLAIN(TEXT, wasmsandbox_pty_exec_start_request, user),
		PLAIN(BOOL, wasmsandbox_pty_exec_start_request, tty),
		PLAIN(UINT64, wasmsandbox_pty_exec_start_request, yield_time_ns),
		PLAIN(UINT64, wasmsandbox_pty_exec_start_request, max_output_tokens),
	},
	.pty_write_stdin = {
		PLAIN(UINT64, wasmsandbox_pty_write_stdin_request, session_id),
		PLAIN(BYTES, wasmsandbox_pty_write_stdin_request, chars),
		PLAIN(UINT64, wasmsandbox_pty_write_stdin_request, yield_time_ns),
		PLAIN(UINT64, wasmsandbox_pty_write_stdin_request, max_output_tokens),
	},
	.read = {
		PLAIN(BYTES, wasmsandbox_read_request, path),
		PLAIN(TEXT, wasmsandbox_read_request, user),
	},
	.rm = {
		PLAIN(BYTES, wasmsandbox_rm_request, path),
		PLAIN(BOOL, wasmsandbox_rm_request, recursive),
		PLAIN(TEXT, wasmsandbox_rm_request, user),
	},
	.write = {
		PLAIN(BYTES, wasmsandbox_write_request, path),
		EMBEDDED(wasmsandbox_write_request, data, STREAM),
		PLAIN(TEXT, wasmsandbox_write_request, user),
	},
	.call = {
		PLAIN(UINT64, wasmsandbox_call, index),
		PLAIN(UINT64, wasmsandbox_call, time_ns),
		EMBEDDED_CASE(wasmsandbox_call, request, APPLY_PATCH),
		EMBEDDED_CASE(wasmsandbox_call, request, EXEC),
		EMBEDDED_CASE(wasmsandbox_call, request, LS),
		EMBEDDED_CASE(wasmsandbox_call, request, MKDIR),
		EMBEDDED_CASE(wasmsandbox_call, request, PTY_EXEC_START),
		EMBEDDED_CASE(wasmsandbox_call, request, PTY_WRITE_STDIN),
		EMBEDDED_CASE(wasmsandbox_call, request, READ),
		EMBEDDED_CASE(wasmsandbox_call, request, RM),
		EMBEDDED_CASE(wasmsandbox_call, request, WRITE),
	},
	.limits = {
		PLAIN(UINT64, wasmsandbox_limits, inline_bytes),
		PLAIN(UINT64, wasmsandbox_limits, reply_bytes),
		PLAIN(UINT64, wasmsandbox_limits, log_bytes),
		PLAIN(UINT64, wasmsandbox_limits, blob_bytes),
	},
	.open = {
		EMBEDDED_REPEATED(wasmsandbox_session, config, ENTRY),
		PLAIN(UINT64, wasmsandbox_session, seed),
		PLAIN(UINT64, wasmsandbox_session, start_time_ns),
		EMBEDDED(wasmsandbox_session, limits, LIMITS),
	},

	/* guest to host */
	.handler = {
		PLAIN(UINT32, handler_message, id),
		PLAIN(TEXT, handler_message, name),
		ENUM(handler_message, kind, HANDLER_RESPOND),
		{
			.type = TYPE_METHOD,
			.presence = PRESENCE_PACKED,
			.offset = offsetof(handler_message, methods),
			.detail = WASMSANDBOX_METHOD_WRITE,
		},
	},
	.description = {
		PLAIN(TEXT, description_message, name),
		PLAIN(TEXT, description_message, version),
		PLAIN(TEXT, description_message, sdk),
		PLAIN(TEXT, description_message, sdk_version),
		PLAIN(TEXT, description_message, language),
		PLAIN(TEXT, description_message, toolchain),
		EMBEDDED_REPEATED(description_message, handlers, HANDLER),
		PLAIN(TEXT, description_message, config_schema),
	},
	.difference = {
		PLAIN(TEXT, wasmsandbox_difference, field),
		PLAIN(TEXT, wasmsandbox_difference, expected),
		PLAIN(TEXT, wasmsandbox_difference, actual),
	},
	.verdict = {
		ENUM(wasmsandbox_verdict, answer, WASMSANDBOX_REJECT),
		PLAIN(TEXT, wasmsandbox_verdict, reason),
		EMBEDDED_REPEATED(wasmsandbox_verdict, differences, DIFFERENCE),
	},
	.exec_result = {
		EMBEDDED(wasmsandbox_exec_result, out, CONTENT),
		EMBEDDED(wasmsandbox_exec_result, err, CONTENT),
		PLAIN(SINT32, wasmsandbox_exec_result, exit_code),
	},
	.file_entry = {
		PLAIN(BYTES, wasmsandbox_file_entry, path),
		PLAIN(UINT32, wasmsandbox_file_entry, permissions),
		PLAIN(TEXT, wasmsandbox_file_entry, owner),
		PLAIN(TEXT, wasmsandbox_file_entry, group),
		PLAIN(UINT64, wasmsandbox_file_entry, size),
		ENUM(wasmsandbox_file_entry, kind, WASMSANDBOX_OTHER),
	},
	.listing = {
		{.type = TYPE_MESSAGE, .presence = PRESENCE_REPEATED, .detail = SCHEMA_FILE_ENTRY},
	},
	.pty_update = {
		FLAGGED(SINT64, wasmsandbox_pty_update, process_id),
		EMBEDDED(wasmsandbox_pty_update, output, CONTENT),
		FLAGGED(SINT32, wasmsandbox_pty_update, exit_code),
		FLAGGED(UINT64, wasmsandbox_pty_update, original_token_count),
	},
	.sandbox_error = {
		PLAIN(TEXT, sandbox_error_message, code),
		PLAIN(TEXT, sandbox_error_message, op),
		PLAIN(TEXT, sandbox_error_message, message),
		EMBEDDED_REPEATED(sandbox_error_message, context, ENTRY),
		ENUM(sandbox_error_message, retryable, RETRYABLE_YES),
	},
	.outcome = {
		EMBEDDED_CASE(outcome_message, as, VOID),
		EMBEDDED_CASE(outcome_message, as.result.exec, EXEC_RESULT),
		EMBEDDED_CASE(outcome_message, as.result.read, STREAM),
		EMBEDDED_CASE(outcome_message, as.result.ls, LISTING),
		CASE(TEXT, outcome_message, as.result.apply_patch),
		EMBEDDED_CASE(outcome_message, as.result.pty, PTY_UPDATE),
		EMBEDDED_CASE(outcome_message, as.error, SANDBOX_ERROR),
	},
	.guest_error = {
		ENUM(guest_error_message, kind, GUEST_UNSUPPORTED_METHOD),
		PLAIN(TEXT, guest_error_message, message),
	},
	.reply = {
		EMBEDDED_CASE(reply_message, as.description, DESCRIPTION),
		EMBEDDED_CASE(reply_message, as.verdict, VERDICT),
		EMBEDDED_CASE(reply_message, as.outcome, OUTCOME),
		EMBEDDED_CASE(reply_message, as.error, GUEST_ERROR),
		EMBEDDED_CASE(reply_message, as, VOID),
	},
	.panic = {
		PLAIN(BYTES, panic_message, message),
		PLAIN(BYTES, panic_message, file),
		PLAIN(UINT32, panic_message, line),
		PLAIN(BYTES, panic_message, stack),
	},
};

const schema_field *const wasmsandbox_fields = (const schema_field *)(const void *)&all_fields;

const schema wasmsandbox_schemas[] = {
	[SCHEMA_ENTRY] = {SCHEMA(entry, wasmsandbox_entry)},
	[SCHEMA_LIST] = {SCHEMA(list, wasmsandbox_list)},
	[SCHEMA_MAP] = {SCHEMA(map, wasmsandbox_map)},
	[SCHEMA_VALUE] = {SCHEMA(value, wasmsandbox_value), .is_oneof = true, .is_value = true,
		ONEOF(wasmsandbox_value, kind, as)},
	[SCHEMA_BLOB] = {SCHEMA(blob, wasmsandbox_blob)},
	[SCHEMA_CONTENT] = {SCHEMA(content, wasmsandbox_content), .is_oneof = true, ONEOF(wasmsandbox_content, kind, as)},
	[SCHEMA_STREAM] = {SCHEMA(stream, wasmsandbox_stream)},
	[SCHEMA_OPERATION] = {SCHEMA(operation, wasmsandbox_patch_operation)},
	[SCHEMA_APPLY_PATCH] = {SCHEMA(apply_patch, wasmsandbox_apply_patch_request)},
	[SCHEMA_SHELL] = {SCHEMA(shell, wasmsandbox_shell)},
	[SCHEMA_EXEC] = {SCHEMA(exec, wasmsandbox_exec_request)},
	[SCHEMA_LS] = {SCHEMA(ls, wasmsandbox_ls_request)},
	[SCHEMA_MKDIR] = {SCHEMA(mkdir, wasmsandbox_mkdir_request)},
	[SCHEMA_PTY_EXEC_START] = {SCHEMA(pty_exec_start, wasmsandbox_pty_exec_start_request)},
	[SCHEMA_PTY_WRITE_STDIN] = {SCHEMA(pty_write_stdin, wasmsandbox_pty_write_stdin_request)},
	[SCHEMA_READ] = {SCHEMA(read, wasmsandbox_read_request)},
	[SCHEMA_RM] = {SCHEMA(rm, wasmsandbox_rm_request)},
	[SCHEMA_WRITE] = {SCHEMA(write, wasmsandbox_write_request)},
	[SCHEMA_CALL] = {SCHEMA(call, wasmsandbox_call), ONEOF(wasmsandbox_call, method, request)},
	[SCHEMA_LIMITS] = {SCHEMA(limits, wasmsandbox_limits)},
	[SCHEMA_OPEN] = {SCHEMA(open, wasmsandbox_session)},
	[SCHEMA_HANDLER] = {SCHEMA(handler, handler_message)},
	[SCHEMA_DESCRIPTION] = {SCHEMA(description, description_message)},
	[SCHEMA_DIFFERENCE] = {SCHEMA(difference, wasmsandbox_difference)},
	[SCHEMA_VERDICT] = {SCHEMA(verdict, wasmsandbox_verdict)},
	[SCHEMA_VOID] = {.count = 0},
	[SCHEMA_EXEC_RESULT] = {SCHEMA(exec_result, wasmsandbox_exec_result)},
	[SCHEMA_FILE_ENTRY] = {SCHEMA(file_entry, wasmsandbox_file_entry)},
	[SCHEMA_LISTING] = {SCHEMA(listing, wasmsandbox_listing)},
	[SCHEMA_PTY_UPDATE] = {SCHEMA(pty_update, wasmsandbox_pty_update)},
	[SCHEMA_SANDBOX_ERROR] = {SCHEMA(sandbox_error, sandbox_error_message)},
	[SCHEMA_OUTCOME] = {SCHEMA(outcome, outcome_message), .is_oneof = true, ONEOF(outcome_message, kind, as)},
	[SCHEMA_GUEST_ERROR] = {SCHEMA(guest_error, guest_error_message)},
	[SCHEMA_REPLY] = {SCHEMA(reply, reply_message), .is_oneof = true, ONEOF(reply_message, kind, as)},
	[SCHEMA_PANIC] = {SCHEMA(panic, panic_message)},
};

#endif
