/* What the exports do. */
#ifndef WASMSANDBOX_CALLS_H
#define WASMSANDBOX_CALLS_H

#include "handlers.h"

enum { SMALLEST_INPUT = 4 << 10, LARGEST_INPUT = 64 << 20 };

void *wasmsandbox_guest_buffer(uint32_t size) {
	if (size > LARGEST_INPUT) {
		return NULL;
	}
	if (guest.input == NULL || size > guest.input_size) {
		guest.input_size = size > SMALLEST_INPUT ? size : SMALLEST_INPUT;
		wasmsandbox_free(guest.input);
		guest.input = memory_try(guest.input_size);
		if (guest.input == NULL) {
			guest.input_size = 0;
		}
	}
	return guest.input;
}

static void begin(void) {
	wasmsandbox_arena_reset(&guest.scratch);
	guest.bad_setting.length = 0;
	guest.reply.kind = REPLY_NONE;
}

/* Makes the reply an error, and gives where its text is to be. */
__attribute__((noinline)) static wasmsandbox_slice *refuse(guest_error_kind kind) {
	guest.reply.kind = REPLY_ERROR;
	guest.reply.as.error.kind = kind;
	return &guest.reply.as.error.message;
}

static const wasmsandbox_slice *send_reply(void) {
	if (guest.bad_setting.length != 0) {
		*refuse(GUEST_BAD_CONFIG) = guest.bad_setting;
	}
	guest.output.limit = SIZE_MAX; /* that it is longer than the host takes is for the host to say */
	wasmsandbox_encode(&guest.output, &wasmsandbox_schemas[SCHEMA_REPLY], &guest.reply, &guest.encoded);
	return &guest.encoded;
}

/* Sends what a hook, a matcher or a responder has come to: the reply that is set, or
 * the error instead. */
static const wasmsandbox_slice *send_reply_or(guest_error_kind kind, const wasmsandbox_error *error) {
	if (error != NULL) {
		*refuse(kind) = error_text(error);
	}
	return send_reply();
}

/* Decodes a message of the length from bytes at `data`. If that fails, or the input
 * buffer isn't that long, the reply says so. */
static bool take(schema_id id, void *message, uint32_t length, const void *data, arena *a) {
	decode_result result =
		wasmsandbox_decode(&wasmsandbox_schemas[id], message, (wasmsandbox_slice){data, length}, a);
	if (result.reason != DECODE_OK) {
		set_text(refuse(GUEST_BAD_MESSAGE), "can't decode the message: ", wasmsandbox_reason_name(result.reason),
		         " at byte ", decimal_string(result.offset));
	}
	return result.reason == DECODE_OK;
}

/* Whether the input buffer has so many bytes. If not, the reply says so. */
static bool received(uint32_t length) {
	if (length > guest.input_size) {
		*refuse(GUEST_BAD_MESSAGE) = WASMSANDBOX_TEXT("the message is longer than the input buffer");
		return false;
	}
	return true;
}

const wasmsandbox_slice *wasmsandbox_guest_describe(void) {
	begin();
	check_handlers();
	guest.reply.kind = REPLY_DESCRIPTION;
	describe_guest(&guest.reply.as.description);
	return send_reply();
}

const wasmsandbox_slice *wasmsandbox_guest_open(uint32_t length) {
	begin();
	check_handlers();
	if (!received(length)) {
		return send_reply();
	}
	void *kept = arena_alloc(&guest.permanent, length); /* the configuration stays */
	copy_bytes(kept, guest.input, length);
	memset(&guest.session, 0, sizeof guest.session);
	if (!take(SCHEMA_OPEN, &guest.session, length, kept, &guest.permanent)) {
		return send_reply();
	}
	guest.reply.kind = REPLY_DONE;
	return send_reply_or(GUEST_BAD_CONFIG, wasmsandbox_this_guest.open == NULL ? NULL : wasmsandbox_this_guest.open());
}

/* What calls and outcomes start from, by a copy: engines are quick at that, but fill
 * memory, which is what memset is to them, from one byte to the next. */
static union {
	wasmsandbox_call call;
	outcome_message outcome;
} empty;

static void make_empty(void *message, size_t size) {
	const void *zeroes = &empty;
	__asm__("" : "+r"(zeroes)); /* or else the compiler sees through it, and makes it a memset */
	memcpy(message, zeroes, size);
}

/* Decodes the call for a handler of the kind. If none has the id, or it doesn't serve
 * the call's method, or the call can't be decoded, the reply says so. */
__attribute__((noinline)) static bool take_call(handler_kind kind, uint32_t id, uint32_t length) {
	const wasmsandbox_guest *g = &wasmsandbox_this_guest;
	bool matches = kind == HANDLER_MATCH;
	size_t i = (size_t)id - 1 - (matches ? 0 : g->matcher_count);
	if (i >= (matches ? g->matcher_count : g->responder_count)) {
		set_text(refuse(GUEST_UNKNOWN_HANDLER), "no ", matches ? "matcher" : "responder", " has the id ",
		         decimal_string(id));
		return false;
	}
	make_empty(&guest.call, sizeof guest.call);
	if (!received(length) || !take(SCHEMA_CALL, &guest.call, length, guest.input, &guest.scratch)) {
		return false;
	}
	wasmsandbox_method method = guest.call.method;
	if (matches ? matcher_serves(&g->matchers[i], method) : responder_serves(&g->responders[i], method)) {
		return true;
	}
	set_text(refuse(GUEST_UNSUPPORTED_METHOD), matches ? "the matcher " : "the responder ",
	         matches ? g->matchers[i].name : g->responders[i].name, " doesn't serve ", wasmsandbox_method_name(method));
	return false;
}

const wasmsandbox_slice *wasmsandbox_guest_match(uint32_t id, uint32_t length) {
	begin();
	if (!take_call(HANDLER_MATCH, id, length)) {
		return send_reply();
	}
	wasmsandbox_verdict *verdict = &guest.reply.as.verdict;
	memset(verdict, 0, sizeof *verdict);
	wasmsandbox_error *error = wasmsandbox_this_guest.matchers[id - 1].match(&guest.call, verdict);
	guest.reply.kind = REPLY_VERDICT;
	if (error == NULL && (uint32_t)verdict->answer > WASMSANDBOX_REJECT) {
		error = wasmsandbox_failed(WASMSANDBOX_TEXT("the matcher gave an unknown answer"));
	}
	return send_reply_or(GUEST_HANDLER_FAILED, error);
}

/* Makes the outcome what a handler has returned for the method. */
static wasmsandbox_error *finish_result(outcome_message *outcome, wasmsandbox_method method) {
	wasmsandbox_result *result = &outcome->as.result;
	wasmsandbox_error *error;
	switch (method) {
	case WASMSANDBOX_METHOD_APPLY_PATCH:
		outcome->kind = OUTCOME_TEXT;
		return NULL;
	case WASMSANDBOX_METHOD_EXEC:
		outcome->kind = OUTCOME_EXEC;
		error = content_send(&result->exec.out);
		return error != NULL ? error : content_send(&result->exec.err);
	case WASMSANDBOX_METHOD_LS:
		outcome->kind = OUTCOME_LISTING;
		for (size_t i = 0; i < result->ls.count; i++) {
			if ((uint32_t)result->ls.items[i].kind > WASMSANDBOX_OTHER) {
				return wasmsandbox_failed(WASMSANDBOX_TEXT("the listing has an unknown kind of file"));
			}
		}
		return NULL;
	case WASMSANDBOX_METHOD_PTY_EXEC_START:
	case WASMSANDBOX_METHOD_PTY_WRITE_STDIN:
		outcome->kind = OUTCOME_PTY;
		return content_send(&result->pty.output);
	case WASMSANDBOX_METHOD_READ:
		outcome->kind = OUTCOME_STREAM;
		return content_send(&result->read.content);
	default:
		outcome->kind = OUTCOME_VOID;
		return NULL;
	}
}

/* Makes the outcome the sandbox error, or fails with what makes it unfit. */
static wasmsandbox_error *finish_error(outcome_message *outcome, wasmsandbox_error *error) {
	if (!error->is_sandbox_error) {
		return error;
	}
	if (error->sandbox.code.length == 0) {
		return wasmsandbox_failed(WASMSANDBOX_TEXT("the sandbox error has no code"));
	}
	const char *problem = check_map(&error->sandbox.context, 0);
	if (problem != NULL) {
		return wasmsandbox_failed(wasmsandbox_text(problem));
	}
	outcome->kind = OUTCOME_ERROR;
	outcome->as.error = error->sandbox;
	return NULL;
}

const wasmsandbox_slice *wasmsandbox_guest_respond(uint32_t id, uint32_t length) {
	begin();
	if (!take_call(HANDLER_RESPOND, id, length)) {
		return send_reply();
	}
	size_t i = (size_t)id - 1 - wasmsandbox_this_guest.matcher_count;
	if (i >= wasmsandbox_this_guest.responder_count) {
		__builtin_unreachable(); /* take_call has found it; a guest with one responder loses what that doesn't serve */
	}
	const wasmsandbox_responder *r = &wasmsandbox_this_guest.responders[i];
	outcome_message *outcome = &guest.reply.as.outcome;
	make_empty(outcome, sizeof *outcome);
	wasmsandbox_error *error = call_responder(r, &guest.call, &outcome->as.result);
	guest.reply.kind = REPLY_OUTCOME;
	error = error == NULL ? finish_result(outcome, guest.call.method) : finish_error(outcome, error);
	return send_reply_or(GUEST_HANDLER_FAILED, error);
}

const wasmsandbox_slice *wasmsandbox_guest_close(void) {
	begin();
	guest.reply.kind = REPLY_DONE;
	return send_reply_or(GUEST_HANDLER_FAILED, wasmsandbox_this_guest.close == NULL ? NULL : wasmsandbox_this_guest.close());
}

#endif
