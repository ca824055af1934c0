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
		size_t grown = 2 * guest.input_size > SMALLEST_INPUT ? 2 * guest.input_size : SMALLEST_INPUT;
		wasmsandbox_free(guest.input);
		guest.input_size = size > grown ? size : grown;
		guest.input = memory_try(guest.input_size);
		if (guest.input == NULL && guest.input_size > size) { /* for once, not more than is asked for */
			guest.input_size = size;
			guest.input = memory_try(size);
		}
		if (guest.input == NULL) {
			guest.input_size = 0;
		}
	}
	return guest.input;
}

static void begin(void) {
	wasmsandbox_arena_reset(&guest.scratch);
	guest.bad_setting = (wasmsandbox_slice){NULL, 0};
	guest.reply.kind = REPLY_NONE;
}

__attribute__((noinline)) static void refuse(guest_error_kind kind, wasmsandbox_slice message) {
	guest.reply.kind = REPLY_ERROR;
	guest.reply.as.error = (guest_error_message){kind, message};
}

static wasmsandbox_slice send_reply(void) {
	wasmsandbox_slice encoded;
	if (guest.bad_setting.length != 0) {
		refuse(GUEST_BAD_CONFIG, guest.bad_setting);
	}
	guest.output.limit = reply_limit();
	if (!wasmsandbox_encode(&guest.output, &wasmsandbox_schemas[SCHEMA_REPLY], &guest.reply, &encoded)) {
		refuse(GUEST_HANDLER_FAILED,
		       WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("the reply is longer than the "),
		                        wasmsandbox_decimal_unsigned(guest.output.limit), WASMSANDBOX_TEXT(" bytes that the host takes")));
		guest.output.limit = SIZE_MAX;
		wasmsandbox_encode(&guest.output, &wasmsandbox_schemas[SCHEMA_REPLY], &guest.reply, &encoded);
	}
	return encoded;
}

/* Decodes the first bytes of the input buffer. If that fails, the reply says so. */
static bool take(const schema *s, void *message, wasmsandbox_slice data, arena *a) {
	decode_result result = wasmsandbox_decode(s, message, data, a);
	if (result.reason == DECODE_OK) {
		return true;
	}
	refuse(GUEST_BAD_MESSAGE, WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("can't decode the message: "),
	                                           wasmsandbox_text(wasmsandbox_reason_name(result.reason)),
	                                           WASMSANDBOX_TEXT(" at byte "), wasmsandbox_decimal_unsigned(result.offset)));
	return false;
}

/* The first bytes of the input buffer. If it isn't that long, the reply says so. */
static bool received(uint32_t length, wasmsandbox_slice *data) {
	if (length > guest.input_size) {
		refuse(GUEST_BAD_MESSAGE, WASMSANDBOX_TEXT("the message is longer than the input buffer"));
		return false;
	}
	*data = (wasmsandbox_slice){(const char *)guest.input, length};
	return true;
}

wasmsandbox_slice wasmsandbox_guest_describe(void) {
	begin();
	check_handlers();
	guest.reply.kind = REPLY_DESCRIPTION;
	describe_guest(&guest.reply.as.description);
	return send_reply();
}

wasmsandbox_slice wasmsandbox_guest_open(uint32_t length) {
	wasmsandbox_slice data;
	begin();
	check_handlers();
	if (!received(length, &data)) {
		return send_reply();
	}
	char *kept = arena_alloc(&guest.permanent, length); /* the configuration stays */
	copy_bytes(kept, data.data, length);
	data.data = kept;
	memset(&guest.session, 0, sizeof guest.session);
	if (!take(&wasmsandbox_schemas[SCHEMA_OPEN], &guest.session, data, &guest.permanent)) {
		return send_reply();
	}
	wasmsandbox_error *error = NULL;
	if (wasmsandbox_this_guest.open != NULL) {
		error = wasmsandbox_this_guest.open();
	}
	if (error != NULL) {
		refuse(GUEST_BAD_CONFIG, error_text(error));
	} else {
		guest.reply.kind = REPLY_DONE;
	}
	return send_reply();
}

/* Decodes the call for a handler that serves the methods. If it doesn't serve the
 * call's, or the call can't be decoded, the reply says so. */
static bool take_call(uint32_t length, const char *kind, const char *name, uint32_t methods) {
	wasmsandbox_slice data;
	memset(&guest.call, 0, sizeof guest.call);
	if (!received(length, &data) || !take(&wasmsandbox_schemas[SCHEMA_CALL], &guest.call, data, &guest.scratch)) {
		return false;
	}
	if ((methods & WASMSANDBOX_SERVES(guest.call.method)) != 0) {
		return true;
	}
	refuse(GUEST_UNSUPPORTED_METHOD,
	       WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("the "), wasmsandbox_text(kind), WASMSANDBOX_TEXT(" "), wasmsandbox_text(name),
	                        WASMSANDBOX_TEXT(" doesn't serve "), wasmsandbox_text(wasmsandbox_method_name(guest.call.method))));
	return false;
}

static wasmsandbox_slice unknown_handler(const char *kind, uint32_t id) {
	refuse(GUEST_UNKNOWN_HANDLER, WASMSANDBOX_JOIN(WASMSANDBOX_TEXT("no "), wasmsandbox_text(kind),
	                                               WASMSANDBOX_TEXT(" has the id "), wasmsandbox_decimal_unsigned(id)));
	return send_reply();
}

wasmsandbox_slice wasmsandbox_guest_match(uint32_t id, uint32_t length) {
	begin();
	if (id == 0 || id > wasmsandbox_this_guest.matcher_count) {
		return unknown_handler("matcher", id);
	}
	const wasmsandbox_matcher *m = &wasmsandbox_this_guest.matchers[id - 1];
	if (!take_call(length, "matcher", m->name, m->methods == 0 ? (uint32_t)ALL_METHODS : m->methods)) {
		return send_reply();
	}
	guest.reply.as.verdict = (wasmsandbox_verdict){0};
	wasmsandbox_error *error = m->match(&guest.call, &guest.reply.as.verdict);
	guest.reply.kind = REPLY_VERDICT;
	if (error != NULL) {
		refuse(GUEST_HANDLER_FAILED, error_text(error));
	} else if ((uint32_t)guest.reply.as.verdict.answer > WASMSANDBOX_REJECT) {
		refuse(GUEST_HANDLER_FAILED, WASMSANDBOX_TEXT("the matcher gave an answer that doesn't exist"));
	}
	return send_reply();
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
				return wasmsandbox_failed(WASMSANDBOX_TEXT("the handler returned a kind of file that doesn't exist"));
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
		return wasmsandbox_failed(WASMSANDBOX_TEXT("the handler returned a sandbox error without a code"));
	}
	const char *problem = check_map(&error->sandbox.context, 0);
	if (problem != NULL) {
		return wasmsandbox_failed(wasmsandbox_text(problem));
	}
	outcome->kind = OUTCOME_ERROR;
	outcome->as.error = error->sandbox;
	return NULL;
}

wasmsandbox_slice wasmsandbox_guest_respond(uint32_t id, uint32_t length) {
	begin();
	size_t first = wasmsandbox_this_guest.matcher_count + 1;
	if (id < first || id - first >= wasmsandbox_this_guest.responder_count) {
		return unknown_handler("responder", id);
	}
	const wasmsandbox_responder *r = &wasmsandbox_this_guest.responders[id - first];
	if (!take_call(length, "responder", r->name, r->any != NULL ? (uint32_t)ALL_METHODS : responder_methods(r))) {
		return send_reply();
	}
	outcome_message *outcome = &guest.reply.as.outcome;
	memset(outcome, 0, sizeof *outcome);
	wasmsandbox_error *error = call_responder(r, &guest.call, &outcome->as.result);
	guest.reply.kind = REPLY_OUTCOME;
	error = error == NULL ? finish_result(outcome, guest.call.method) : finish_error(outcome, error);
	if (error != NULL) {
		refuse(GUEST_HANDLER_FAILED, error_text(error));
	}
	return send_reply();
}

wasmsandbox_slice wasmsandbox_guest_close(void) {
	wasmsandbox_error *error = NULL;
	begin();
	if (wasmsandbox_this_guest.close != NULL) {
		error = wasmsandbox_this_guest.close();
	}
	if (error != NULL) {
		refuse(GUEST_HANDLER_FAILED, error_text(error));
	} else {
		guest.reply.kind = REPLY_DONE;
	}
	return send_reply();
}

#endif
