/* Errors that handlers return, and verdicts. */
#ifndef WASMSANDBOX_ERRORS_H
#define WASMSANDBOX_ERRORS_H

#include "values.h"

static wasmsandbox_error *new_error(void) {
	wasmsandbox_error *error = wasmsandbox_scratch(sizeof *error);
	memset(error, 0, sizeof *error);
	return error;
}

__attribute__((noinline)) wasmsandbox_error *wasmsandbox_raise_bytes(const char *code, size_t length) {
	wasmsandbox_error *error = new_error();
	error->is_sandbox_error = true;
	error->sandbox.code = (wasmsandbox_slice){code, length};
	return error;
}

wasmsandbox_value *wasmsandbox_context_place(wasmsandbox_error *error, const char *key, size_t length) {
	return wasmsandbox_map_place(&error->sandbox.context, key, length);
}

wasmsandbox_error *wasmsandbox_with_op_bytes(wasmsandbox_error *error, const char *op, size_t length) {
	error->sandbox.op = (wasmsandbox_slice){op, length};
	return error;
}

wasmsandbox_error *wasmsandbox_with_message_bytes(wasmsandbox_error *error, const char *message, size_t length) {
	error->sandbox.message = (wasmsandbox_slice){message, length};
	return error;
}

wasmsandbox_error *wasmsandbox_with_retryable(wasmsandbox_error *error, bool can_retry) {
	error->sandbox.retryable = can_retry ? RETRYABLE_YES : RETRYABLE_NO;
	return error;
}

__attribute__((noinline)) wasmsandbox_error *wasmsandbox_failed_bytes(const char *message, size_t length) {
	wasmsandbox_error *error = new_error();
	error->failure = (wasmsandbox_slice){message, length};
	return error;
}

/* The error as text, for where only a failure of the guest can be reported. */
static wasmsandbox_slice error_text(const wasmsandbox_error *error) {
	if (!error->is_sandbox_error) {
		return error->failure;
	}
	const wasmsandbox_slice parts[] = {WASMSANDBOX_TEXT("sandbox error "), error->sandbox.code, WASMSANDBOX_TEXT(": "),
	                                   error->sandbox.message};
	return wasmsandbox_join(parts, error->sandbox.message.length == 0 ? 2 : 4);
}

/* What a status of the host means. */
static wasmsandbox_error *host_refused(const char *function, int64_t status) {
	const char *reason = "unknown status";
	switch (status) {
	case STATUS_BAD_POINTER:
		reason = "bad pointer";
		break;
	case STATUS_BAD_HANDLE:
		reason = "no such blob";
		break;
	case STATUS_BAD_ARGUMENT:
		reason = "bad argument";
		break;
	case STATUS_LIMIT:
		reason = "a limit of the host is reached";
		break;
	case STATUS_BAD_MESSAGE:
		reason = "bad message";
		break;
	case STATUS_UNSUPPORTED:
		reason = "not supported by the host";
		break;
	}
	wasmsandbox_error *error = new_error();
	set_text(&error->failure, function, ": ", reason, "");
	return error;
}

__attribute__((noinline)) void wasmsandbox_differ_bytes(wasmsandbox_verdict *verdict, const char *field,
                                                        size_t field_length, const char *expected, size_t expected_length,
                                                        const char *actual, size_t actual_length) {
	wasmsandbox_difference *items = arena_extend(&guest.scratch, verdict->differences.items, verdict->differences.count,
	                                             sizeof *items);
	verdict->differences.items = items;
	items[verdict->differences.count++] = (wasmsandbox_difference){
		{field, field_length}, {expected, expected_length}, {actual, actual_length}};
}

__attribute__((noinline)) wasmsandbox_pty_update wasmsandbox_pty_running(int64_t process_id, wasmsandbox_slice output) {
	return (wasmsandbox_pty_update){
		.has_process_id = true, .process_id = process_id, .output = wasmsandbox_inline(output)};
}

__attribute__((noinline)) wasmsandbox_pty_update wasmsandbox_pty_exited(int32_t exit_code, wasmsandbox_slice output) {
	return (wasmsandbox_pty_update){
		.has_exit_code = true, .exit_code = exit_code, .output = wasmsandbox_inline(output)};
}

#endif
