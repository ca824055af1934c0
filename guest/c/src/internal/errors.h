/* Errors that handlers return, and verdicts. */
#ifndef WASMSANDBOX_ERRORS_H
#define WASMSANDBOX_ERRORS_H

#include "values.h"

static wasmsandbox_error *new_error(void) {
	wasmsandbox_error *error = wasmsandbox_scratch(sizeof *error);
	memset(error, 0, sizeof *error);
	return error;
}

__attribute__((noinline)) wasmsandbox_error *wasmsandbox_raise_slice(wasmsandbox_slice code) {
	wasmsandbox_error *error = new_error();
	error->is_sandbox_error = true;
	error->sandbox.code = code;
	return error;
}

wasmsandbox_error *wasmsandbox_raise(const char *code) { return wasmsandbox_raise_slice(wasmsandbox_text(code)); }

wasmsandbox_error *wasmsandbox_with(wasmsandbox_error *error, const char *key, wasmsandbox_value value) {
	wasmsandbox_map_set(&error->sandbox.context, key, value);
	return error;
}

wasmsandbox_error *wasmsandbox_with_op(wasmsandbox_error *error, wasmsandbox_slice op) {
	error->sandbox.op = op;
	return error;
}

wasmsandbox_error *wasmsandbox_with_message(wasmsandbox_error *error, wasmsandbox_slice message) {
	error->sandbox.message = message;
	return error;
}

wasmsandbox_error *wasmsandbox_with_retryable(wasmsandbox_error *error, bool can_retry) {
	error->sandbox.retryable = can_retry ? RETRYABLE_YES : RETRYABLE_NO;
	return error;
}

__attribute__((noinline)) wasmsandbox_error *wasmsandbox_failed(wasmsandbox_slice message) {
	wasmsandbox_error *error = new_error();
	error->failure = message;
	return error;
}

/* The error as text, for where only a failure of the guest can be reported. */
static wasmsandbox_slice error_text(const wasmsandbox_error *error) {
	if (!error->is_sandbox_error) {
		return error->failure;
	}
	wasmsandbox_slice text = WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("sandbox error "), error->sandbox.code);
	if (error->sandbox.message.length == 0) {
		return text;
	}
	return WASMSANDBOX_JOIN(text, WASMSANDBOX_TEXT(": "), error->sandbox.message);
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
	return wasmsandbox_failed(
		WASMSANDBOX_JOIN(wasmsandbox_text(function), WASMSANDBOX_TEXT(": "), wasmsandbox_text(reason)));
}

void wasmsandbox_accept(wasmsandbox_verdict *verdict) { verdict->answer = WASMSANDBOX_ACCEPT; }

void wasmsandbox_reject(wasmsandbox_verdict *verdict, wasmsandbox_slice reason) {
	verdict->answer = WASMSANDBOX_REJECT;
	verdict->reason = reason;
}

void wasmsandbox_differ(wasmsandbox_verdict *verdict, wasmsandbox_slice field, wasmsandbox_slice expected,
                        wasmsandbox_slice actual) {
	verdict->differences.items = arena_extend(&guest.scratch, verdict->differences.items, verdict->differences.count,
	                                          sizeof *verdict->differences.items);
	verdict->differences.items[verdict->differences.count++] = (wasmsandbox_difference){field, expected, actual};
}

wasmsandbox_pty_update wasmsandbox_pty_running(int64_t process_id, wasmsandbox_slice output) {
	return (wasmsandbox_pty_update){
		.has_process_id = true, .process_id = process_id, .output = wasmsandbox_inline(output)};
}

wasmsandbox_pty_update wasmsandbox_pty_exited(int32_t exit_code, wasmsandbox_slice output) {
	return (wasmsandbox_pty_update){
		.has_exit_code = true, .exit_code = exit_code, .output = wasmsandbox_inline(output)};
}

#endif
